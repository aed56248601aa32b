// SPDX-License-Identifier: Apache-2.0

/// A statement in the form that PostgreSQL accepts: `$1` replaces `?` and `:name`.
struct PostgreSQLStatement: Sendable {
    let text: String
    /// The names of the parameters in the order of their numbers; nil for `?`.
    private let names: [String?]

    init(_ sql: String) {
        var (text, names) = ([UInt8](), [String?]())
        let bytes = Array(sql.utf8)
        var index = 0
        var isQuoted = false
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "'") { isQuoted.toggle() }
            guard !isQuoted, byte == UInt8(ascii: "?") || byte == UInt8(ascii: ":") else {
                text.append(byte)
                continue
            }
            var name: String?
            if byte == UInt8(ascii: ":") {
                let end = bytes[index...].firstIndex { !Self.isLetter($0) } ?? bytes.count
                name = String(decoding: bytes[index..<end], as: UTF8.self)
                index = end
            }
            let known = name.flatMap { name in names.firstIndex { $0 == name } }
            if known == nil { names.append(name) }
            text += Array("$\((known ?? names.count - 1) + 1)".utf8)
        }
        (self.text, self.names) = (String(decoding: text, as: UTF8.self), names)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
    }

    func values(_ parameters: Parameters) throws -> [StoredValue] {
        var ordered = parameters.ordered.makeIterator()
        return try names.map { name in
            guard let value = name.map({ parameters.named[$0] }) ?? ordered.next() else {
                throw ServerError(.internalFault, "a statement lacks a parameter")
            }
            return value
        }
    }
}
