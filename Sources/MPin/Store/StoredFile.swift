// SPDX-License-Identifier: Apache-2.0
package import MPinWire

/// Writes a file of a machine's store into a buffer for secrets, piece by piece.
///
/// Each function takes the position at which it writes and returns the position after it. `nil`, from a piece that did
/// not fit, is passed on to the end.
package enum StoredFile {
    /// The positions of the records in a file whose array has that name.
    ///
    /// - Throws: ``WireError`` if the file has another format or version.
    static func records(_ records: MemberName, version: Int, in file: Span<UInt8>) throws(WireError) -> [JSONValue] {
        let object = try JSONObject(file)
        guard try object.integer(.version, in: file) == version else { throw .invalid(.version) }
        let elements = try object.elements(records, in: file)
        for element in elements where element.kind != .object { throw .invalid(records) }
        return elements
    }

    /// Writes the beginning of a file whose records are in an array of that name.
    package static func begin(_ records: MemberName, version: Int, in target: inout MutableSpan<UInt8>) -> Int? {
        var writer = JSONWriter()
        writer.add(.version, version)
        writer.add(records, json: [UInt8(ascii: "[")])
        let start = writer.finish()
        return keep(start.span.extracting(droppingLast: 1), in: &target, at: 0)
    }

    package static func separate(in target: inout MutableSpan<UInt8>, at position: Int?) -> Int? {
        write(",", to: &target, at: position)
    }

    /// Writes bytes unchanged, such as an existing record of an unknown form.
    @inline(never)
    package static func keep(_ bytes: Span<UInt8>, in target: inout MutableSpan<UInt8>, at position: Int?) -> Int? {
        guard let position, target.count - position >= bytes.count else { return nil }
        for index in bytes.indices { target[position + index] = bytes[index] }
        return position + bytes.count
    }

    package static func end(in target: inout MutableSpan<UInt8>, at position: Int?) -> Int? {
        write("]}\n", to: &target, at: position)
    }

    /// Writes an object without its closing brace, so that secrets can follow as its last members; ``close(in:at:)``
    /// ends it.
    static func open(_ object: [UInt8], in target: inout MutableSpan<UInt8>, at position: Int?) -> Int? {
        keep(object.span.extracting(droppingLast: 1), in: &target, at: position)
    }

    /// Writes a secret in hexadecimal as another member of an object that has at least one.
    static func add(
        _ secret: Span<UInt8>?, as field: MemberName, to target: inout MutableSpan<UInt8>, at position: Int?
    ) -> Int? {
        guard let secret else { return position }
        var start: ByteText = ",\""
        start.append(contentsOf: field.name.text)
        start.append("\":\"")
        guard let start = keep(start.bytes.span, in: &target, at: position),
            let end = Hex.encode(secret, into: &target, at: start)
        else { return nil }
        return write("\"", to: &target, at: end)
    }

    static func close(in target: inout MutableSpan<UInt8>, at position: Int?) -> Int? {
        write("}", to: &target, at: position)
    }

    private static func write(_ text: ByteText, to target: inout MutableSpan<UInt8>, at position: Int?) -> Int? {
        keep(text.bytes.span, in: &target, at: position)
    }
}

/// Detects damaged records: FNV-1a with 32 bits, which detects every change of a single byte.
///
/// It protects only against accidents: a process that can write the record can write the checksum too, and one that can
/// read the record can read the token.
struct Checksum {
    private var value: UInt32 = 0x811c_9dc5

    /// Adds bytes.
    @inline(never)
    mutating func add(_ bytes: Span<UInt8>) {
        for index in bytes.indices { add(bytes[index]) }
    }

    /// Adds a text and a terminator, so that bytes moved from one text to the next are detected.
    @inline(never)
    mutating func add(_ text: ByteText?) {
        if let text { add(text.bytes.span) }
        add(0xff)
    }

    mutating func add(_ byte: UInt8) { value = (value ^ UInt32(byte)) &* 0x0100_0193 }

    var number: Int { Int(value) }
}
