/// Reads JSON from a body once, from left to right, and checks all of it.
///
/// RFC 8259 without leniency: one value, nothing behind it, UTF-8 without a byte order mark, surrogates in pairs, no
/// name twice in an object. The body is handed to each step because a value that holds a `Span` cannot be stored.
struct JSONScanner {
    private var position: Int
    private let end: Int
    private var members = 0

    /// A scanner of the whole body, or of a value inside one that was scanned before.
    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    /// The one value of the range.
    mutating func document(in body: Span<UInt8>) throws(WireError) -> JSONValue {
        skipSpace(in: body)
        let value = try value(in: body, depth: 1)
        skipSpace(in: body)
        guard position == end else { throw .malformed }
        return value
    }

    /// The members of the one object of the range.
    mutating func members(in body: Span<UInt8>) throws(WireError) -> [JSONMember] {
        skipSpace(in: body)
        let found = try object(in: body, depth: 1)
        skipSpace(in: body)
        guard position == end else { throw .malformed }
        return found
    }

    /// The elements of the one array of the range.
    mutating func elements(in body: Span<UInt8>) throws(WireError) -> [JSONValue] {
        skipSpace(in: body)
        let found = try array(in: body, depth: 1)
        skipSpace(in: body)
        guard position == end else { throw .malformed }
        return found
    }

    // MARK: Values

    private mutating func value(in body: Span<UInt8>, depth: Int) throws(WireError) -> JSONValue {
        let start = position
        switch peek(in: body) {
        case UInt8(ascii: "\""):
            return try text(in: body)
        case UInt8(ascii: "{"):
            _ = try object(in: body, depth: depth)
            return JSONValue(kind: .object, range: start..<position)
        case UInt8(ascii: "["):
            _ = try array(in: body, depth: depth)
            return JSONValue(kind: .array, range: start..<position)
        case UInt8(ascii: "t"):
            try word("true", in: body)
            return JSONValue(kind: .yes, range: start..<position)
        case UInt8(ascii: "f"):
            try word("false", in: body)
            return JSONValue(kind: .no, range: start..<position)
        case UInt8(ascii: "n"):
            try word("null", in: body)
            return JSONValue(kind: .null, range: start..<position)
        default:
            try number(in: body)
            return JSONValue(kind: .number, range: start..<position)
        }
    }

    private mutating func object(in body: Span<UInt8>, depth: Int) throws(WireError) -> [JSONMember] {
        guard depth <= JSONLimits.depth else { throw .malformed }
        try expect(UInt8(ascii: "{"), in: body)
        var found: [JSONMember] = []
        skipSpace(in: body)
        if take(UInt8(ascii: "}"), in: body) { return found }
        repeat {
            skipSpace(in: body)
            let name = try text(in: body)
            for other in found where JSONText.areEqual(name, other.name, in: body) { throw .malformed }
            members += 1
            guard members <= JSONLimits.members else { throw .malformed }
            skipSpace(in: body)
            try expect(UInt8(ascii: ":"), in: body)
            skipSpace(in: body)
            found.append(JSONMember(name: name, value: try value(in: body, depth: depth + 1)))
            skipSpace(in: body)
        } while take(UInt8(ascii: ","), in: body)
        try expect(UInt8(ascii: "}"), in: body)
        return found
    }

    private mutating func array(in body: Span<UInt8>, depth: Int) throws(WireError) -> [JSONValue] {
        guard depth <= JSONLimits.depth else { throw .malformed }
        try expect(UInt8(ascii: "["), in: body)
        var found: [JSONValue] = []
        skipSpace(in: body)
        if take(UInt8(ascii: "]"), in: body) { return found }
        repeat {
            skipSpace(in: body)
            found.append(try value(in: body, depth: depth + 1))
            skipSpace(in: body)
        } while take(UInt8(ascii: ","), in: body)
        try expect(UInt8(ascii: "]"), in: body)
        return found
    }

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
            case 0..<0x20:
                throw .malformed
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

    private mutating func digits(in body: Span<UInt8>) throws(WireError) {
        let start = position
        while let byte = peek(in: body), UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
        guard position > start else { throw .malformed }
    }

    private mutating func word(_ word: String, in body: Span<UInt8>) throws(WireError) {
        for byte in word.utf8 { try expect(byte, in: body) }
    }

    private func peek(in body: Span<UInt8>) -> UInt8? { position < end ? body[position] : nil }

    private mutating func take(_ byte: UInt8, in body: Span<UInt8>) -> Bool {
        guard peek(in: body) == byte else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ byte: UInt8, in body: Span<UInt8>) throws(WireError) {
        guard take(byte, in: body) else { throw .malformed }
    }

    private mutating func skipSpace(in body: Span<UInt8>) {
        while let byte = peek(in: body), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }
}
