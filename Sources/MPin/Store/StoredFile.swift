package import MPinWire

/// Writes a file of a machine's store into a buffer for secrets, piece by piece.
///
/// Each function takes the position it writes at and returns the one behind; `nil`, from a piece that did not fit, goes
/// through to the end.
package enum StoredFile {
    /// Where the records lie in a file whose array has that name.
    ///
    /// - Throws: ``WireError`` when the file is not one of ours, or of another version.
    static func records(_ records: MemberName, in file: Span<UInt8>) throws(WireError) -> [JSONValue] {
        let object = try JSONObject(file)
        guard try object.integer(.version, in: file) == StoredUser.version else { throw .invalid(.version) }
        let elements = try object.elements(records, in: file)
        for element in elements where element.kind != .object { throw .invalid(records) }
        return elements
    }

    /// Begins a file whose records stand in an array of that name.
    package static func begin(_ records: MemberName, in target: inout MutableSpan<UInt8>) -> Int? {
        var writer = JSONWriter()
        writer.add(.version, StoredUser.version)
        writer.add(records, json: [UInt8(ascii: "[")])
        let start = writer.finish()
        return keep(start.span.extracting(droppingLast: 1), in: &target, at: 0)
    }

    package static func separate(in target: inout MutableSpan<UInt8>, at position: Int?) -> Int? {
        write(",", to: &target, at: position)
    }

    /// Writes bytes as they are, such as a record that was read before and is not understood.
    @inline(never)
    package static func keep(_ bytes: Span<UInt8>, in target: inout MutableSpan<UInt8>, at position: Int?) -> Int? {
        guard let position, target.count - position >= bytes.count else { return nil }
        for index in bytes.indices { target[position + index] = bytes[index] }
        return position + bytes.count
    }

    package static func end(in target: inout MutableSpan<UInt8>, at position: Int?) -> Int? {
        write("]}\n", to: &target, at: position)
    }

    /// Writes an object, with a secret as its last member in hexadecimal.
    static func write(
        _ object: [UInt8], secret: Span<UInt8>?, as field: MemberName, to target: inout MutableSpan<UInt8>,
        at position: Int?
    ) -> Int? {
        guard let secret else { return keep(object.span, in: &target, at: position) }
        var start = ByteText(object.span.extracting(droppingLast: 1))
        start.append(",\"")
        start.append(contentsOf: field.name.text)
        start.append("\":\"")
        guard let start = keep(start.bytes.span, in: &target, at: position),
            let end = Hex.encode(secret, into: &target, at: start)
        else { return nil }
        return write("\"}", to: &target, at: end)
    }

    private static func write(_ text: ByteText, to target: inout MutableSpan<UInt8>, at position: Int?) -> Int? {
        keep(text.bytes.span, in: &target, at: position)
    }
}
