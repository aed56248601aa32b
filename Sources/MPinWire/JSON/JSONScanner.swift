// SPDX-License-Identifier: Apache-2.0

/// Reads JSON from a body once, from left to right, and checks all of it.
///
/// RFC 8259 without leniency: one value, nothing after it, UTF-8 without a byte order mark, surrogates in pairs, no
/// duplicate names in an object. The body is passed to each step because a value that contains a `Span` cannot be
/// stored.
struct JSONScanner {
    private var position: Int
    private let end: Int
    private var members = 0

    /// Makes a scanner of the whole body, or of a value inside one that was scanned before.
    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    /// The members of the range's only object, each as its name and its value, or the elements of its only array.
    @inline(never)
    mutating func parts(of kind: JSONValue.Kind, in body: Span<UInt8>) throws(WireError) -> [JSONValue] {
        skipSpace(in: body)
        let found = try parts(of: kind, in: body, depth: 1)
        skipSpace(in: body)
        guard position == end else { throw .malformed }
        return found
    }

    // MARK: Values

    @inline(never)
    private mutating func value(in body: Span<UInt8>, depth: Int) throws(WireError) -> JSONValue {
        let start = position
        let kind: JSONValue.Kind
        switch peek(in: body) {
        case UInt8(ascii: "\""): return try text(in: body)
        case UInt8(ascii: "{"):
            kind = .object
            _ = try parts(of: kind, in: body, depth: depth)
        case UInt8(ascii: "["):
            kind = .array
            _ = try parts(of: kind, in: body, depth: depth)
        case UInt8(ascii: "t"):
            kind = .yes
            try word("true", in: body)
        case UInt8(ascii: "f"):
            kind = .no
            try word("false", in: body)
        case UInt8(ascii: "n"):
            kind = .null
            try word("null", in: body)
        default:
            kind = .number
            try number(in: body)
        }
        return JSONValue(kind: kind, range: start..<position)
    }

    @inline(never)
    private mutating func parts(
        of kind: JSONValue.Kind, in body: Span<UInt8>, depth: Int
    ) throws(WireError) -> [JSONValue] {
        guard depth <= JSONLimits.depth else { throw .malformed }
        let isObject = kind == .object
        try expect(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["), in: body)
        let close = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        var found: [JSONValue] = []
        skipSpace(in: body)
        if take(close, in: body) { return found }
        repeat {
            skipSpace(in: body)
            if isObject {
                let name = try name(besides: found, in: body)
                JSONScanner.append(name, to: &found)
            }
            let value = try value(in: body, depth: depth + 1)
            JSONScanner.append(value, to: &found)
            skipSpace(in: body)
        } while take(UInt8(ascii: ","), in: body)
        try expect(close, in: body)
        return found
    }

    /// The name of a member with its colon, if no earlier member has the name.
    private mutating func name(besides found: [JSONValue], in body: Span<UInt8>) throws(WireError) -> JSONValue {
        let name = try text(in: body)
        var index = 0
        while index < found.count {
            guard !JSONText.areEqual(name, found[index], in: body) else { throw .malformed }
            index += 2
        }
        members += 1
        guard members <= JSONLimits.members else { throw .malformed }
        skipSpace(in: body)
        try expect(UInt8(ascii: ":"), in: body)
        skipSpace(in: body)
        return name
    }

    @inline(never)
    private static func append(_ value: JSONValue, to found: inout [JSONValue]) {
        found.append(value)
    }

    @inline(never)
    private mutating func text(in body: Span<UInt8>) throws(WireError) -> JSONValue {
        try expect(UInt8(ascii: "\""), in: body)
        let start = position
        var isEscaped = false
        while let byte = peek(in: body) {
            switch byte {
            case UInt8(ascii: "\""):
                let range = start..<position
                position += 1
                return JSONValue(kind: isEscaped ? .escapedText : .plainText, range: range)
            case UInt8(ascii: "\\"):
                isEscaped = true
                guard let next = JSONText.escape(at: position, end: end, in: body)?.next else { throw .malformed }
                position = next
            case 0..<0x20: throw .malformed
            default:
                guard let length = UTF8Sequence.length(at: position, end: end, in: body) else { throw .malformed }
                position += length
            }
        }
        throw .malformed
    }

    private mutating func number(in body: Span<UInt8>) throws(WireError) {
        _ = take(UInt8(ascii: "-"), in: body)
        if !take(UInt8(ascii: "0"), in: body) { try digits(in: body) }
        if take(UInt8(ascii: "."), in: body) { try digits(in: body) }
        if take(UInt8(ascii: "e"), in: body) || take(UInt8(ascii: "E"), in: body) {
            _ = take(UInt8(ascii: "+"), in: body) || take(UInt8(ascii: "-"), in: body)
            try digits(in: body)
        }
    }

    // MARK: Bytes

    @inline(never)
    private mutating func digits(in body: Span<UInt8>) throws(WireError) {
        let start = position
        while let byte = peek(in: body), UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
        guard position > start else { throw .malformed }
    }

    @inline(never)
    private mutating func word(_ word: StaticString, in body: Span<UInt8>) throws(WireError) {
        let length = word.utf8CodeUnitCount
        guard end - position >= length, body.extracting(position..<(position + length)).matches(word) else {
            throw .malformed
        }
        position += length
    }

    private func peek(in body: Span<UInt8>) -> UInt8? { position < end ? body[position] : nil }

    @inline(never)
    private mutating func take(_ byte: UInt8, in body: Span<UInt8>) -> Bool {
        guard peek(in: body) == byte else { return false }
        position += 1
        return true
    }

    @inline(never)
    private mutating func expect(_ byte: UInt8, in body: Span<UInt8>) throws(WireError) {
        guard take(byte, in: body) else { throw .malformed }
    }

    @inline(never)
    private mutating func skipSpace(in body: Span<UInt8>) {
        while let byte = peek(in: body), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }
}

/// Limits of a message, which bound the work of a reader.
package enum JSONLimits {
    /// The size of a body, in bytes.
    package static let size = 65_536
    /// The levels of arrays and objects, including the outermost.
    package static let depth = 16
    /// The number of members of all objects of a body together.
    package static let members = 256
}

/// The position of a value in the body, and its kind; the content stays in the body.
package struct JSONValue: Sendable {
    package enum Kind: Sendable { case plainText, escapedText, number, yes, no, null, array, object }

    package let kind: Kind
    /// The bytes of the value; for a text, those between its quotes.
    package let range: Range<Int>

    /// Whether this is a number, true or false.
    var isPlain: Bool { kind == .number || kind == .yes || kind == .no }

    var isText: Bool { kind == .plainText || kind == .escapedText }
}
