// SPDX-License-Identifier: Apache-2.0

/// The part of a URL after the question mark.
package struct Query: Sendable {
    /// The query, without the question mark.
    package private(set) var text = ByteText()

    package init() {}

    /// Adds a parameter; everything except letters, digits and `-._~` is percent-encoded.
    @inline(never)
    package mutating func add(_ field: MemberName, _ value: ByteText) {
        if !text.isEmpty { text.append(UInt8(ascii: "&")) }
        text.append(contentsOf: field.name.text)
        text.append(UInt8(ascii: "="))
        text.append(contentsOf: Self.percentEncoded(value))
    }

    @inline(never)
    package static func percentEncoded(_ value: ByteText) -> ByteText {
        var text = ByteText()
        for byte in value.bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                text.append(byte)
            default:
                text.append(UInt8(ascii: "%"))
                text.append(Hex.encode([byte].span).span)
            }
        }
        return text
    }
}

extension Query {
    package var string: String { text.string }

    package mutating func add(_ field: MemberName, _ value: String) { add(field, ByteText(value)) }

    /// Whether a given query may be appended to a URL: not empty, at most 4096 characters, and without characters that
    /// could end it or break a request line.
    package static func isWellFormed(_ query: String) -> Bool {
        1...4096 ~= query.utf8.count
            && query.utf8.allSatisfy { byte in
                switch byte {
                case 0x21...0x7E: !"#\"<>\\^`{|}".utf8.contains(byte)
                default: false
                }
            }
    }

    /// The decoded value of a parameter; nil if it is missing, present twice, or not well-formed.
    package static func value(of field: MemberName, in query: String) -> String? {
        var found: String?
        for pair in Array(query.utf8).split(separator: UInt8(ascii: "&")) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            guard field.name.matches(Array(name).span) else { continue }
            guard found == nil, let value = decoded(pair.dropFirst(name.count + 1)) else { return nil }
            found = value
        }
        return found
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var index = text.startIndex
        while index < text.endIndex {
            if text[index] == UInt8(ascii: "%") {
                guard index + 2 < text.endIndex,
                    let byte = Hex.decode(Array(text[(index + 1)...(index + 2)]).span)?.first
                else { return nil }
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(text[index] == UInt8(ascii: "+") ? 0x20 : text[index])
                index += 1
            }
        }
        guard UTF8Sequence.isWellFormed(bytes.span) else { return nil }
        return bytes.contains(0) ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
