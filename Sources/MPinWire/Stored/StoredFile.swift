/// Writes a file of a machine's store into a buffer for secrets, piece by piece.
///
/// Each function takes the position it writes at and returns the one behind; `nil`, from a piece that did not fit, goes
/// through to the end.
package enum StoredFile {
    /// Begins a file whose records stand in an array of that name.
    package static func begin(_ records: Field, in target: inout MutableSpan<UInt8>) -> Int? {
        var writer = JSONWriter()
        writer.add(.version, StoredUser.version)
        writer.add(records, json: [UInt8(ascii: "[")])
        return write(writer.finish().dropLast(), to: &target, at: 0)
    }

    package static func separate(in target: inout MutableSpan<UInt8>, at position: Int?) -> Int? {
        write([UInt8(ascii: ",")], to: &target, at: position)
    }

    /// Writes a record that was read before and is not understood, as it was.
    package static func keep(_ record: Span<UInt8>, in target: inout MutableSpan<UInt8>, at position: Int?) -> Int? {
        guard let position, target.count - position >= record.count else { return nil }
        for index in record.indices { target[position + index] = record[index] }
        return position + record.count
    }

    package static func end(in target: inout MutableSpan<UInt8>, at position: Int?) -> Int? {
        write([UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "\n")], to: &target, at: position)
    }

    /// Writes an object, with a secret as its last member in hexadecimal.
    static func write(
        _ object: [UInt8], secret: Span<UInt8>?, as field: Field, to target: inout MutableSpan<UInt8>, at position: Int?
    ) -> Int? {
        guard let secret else { return write(object[...], to: &target, at: position) }
        let name = [UInt8](",\"".utf8) + field.name.utf8 + "\":\"".utf8
        guard let start = write(object.dropLast() + name, to: &target, at: position),
            let end = Hex.encode(secret, into: &target, at: start)
        else { return nil }
        return write([UInt8(ascii: "\""), UInt8(ascii: "}")], to: &target, at: end)
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to target: inout MutableSpan<UInt8>, at position: Int?)
        -> Int?
    {
        guard let position, target.count - position >= bytes.count else { return nil }
        var next = position
        for byte in bytes {
            target[next] = byte
            next += 1
        }
        return next
    }
}
