// SPDX-License-Identifier: Apache-2.0

/// The fields of an ssh key or certificate, read one after the other (RFC 4251, section 5).
struct SSHFields {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) { rest = ArraySlice(bytes) }

    var isAtEnd: Bool { rest.isEmpty }

    /// A number with its most significant byte first; nil if the bytes end before it does.
    mutating func number<Number: FixedWidthInteger & UnsignedInteger>() -> Number? {
        let size = Number.bitWidth / 8
        guard rest.count >= size else { return nil }
        defer { rest = rest.dropFirst(size) }
        return rest.prefix(size).reduce(0) { $0 << 8 | Number($1) }
    }

    /// Bytes after their length; nil if there are fewer.
    mutating func bytes() -> [UInt8]? {
        guard let size: UInt32 = number(), rest.count >= Int(size) else { return nil }
        defer { rest = rest.dropFirst(Int(size)) }
        return Array(rest.prefix(Int(size)))
    }

    mutating func text() -> String? { bytes().map { String(decoding: $0, as: UTF8.self) } }

    /// A list of texts, which is a field itself.
    mutating func texts() -> [String]? {
        guard let list = bytes() else { return nil }
        var fields = SSHFields(list), texts: [String] = []
        while !fields.isAtEnd {
            guard let text = fields.text() else { return nil }
            texts.append(text)
        }
        return texts
    }
}
