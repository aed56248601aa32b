/// The content of texts: escapes turned into what they stand for.
///
/// Works on texts that ``JSONScanner`` has accepted.
enum JSONText {
    /// The bytes of a text in UTF-8.
    static func bytes(_ text: JSONValue, in body: Span<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.range.count)
        var position = text.range.lowerBound
        while position < text.range.upperBound {
            if text.kind == .escapedText, body[position] == UInt8(ascii: "\\") {
                guard let (scalar, next) = escape(at: position, end: text.range.upperBound, in: body) else { break }
                append(scalar, to: &result)
                position = next
            } else {
                result.append(body[position])
                position += 1
            }
        }
        return result
    }

    /// Whether two texts say the same, however they are spelled.
    static func areEqual(_ left: JSONValue, _ right: JSONValue, in body: Span<UInt8>) -> Bool {
        if left.kind == .plainText && right.kind == .plainText {
            guard left.range.count == right.range.count else { return false }
            for offset in 0..<left.range.count
            where body[left.range.lowerBound + offset] != body[right.range.lowerBound + offset] { return false }
            return true
        }
        return bytes(left, in: body) == bytes(right, in: body)
    }

    /// Whether a text says what a name of ours says.
    static func equals(_ text: JSONValue, _ name: String, in body: Span<UInt8>) -> Bool {
        let wanted = name.utf8
        if text.kind == .escapedText { return bytes(text, in: body).elementsEqual(wanted) }
        guard text.range.count == wanted.count else { return false }
        var position = text.range.lowerBound
        for byte in wanted {
            guard body[position] == byte else { return false }
            position += 1
        }
        return true
    }

    /// The scalar behind the escape at a position, and where the text goes on.
    ///
    /// A surrogate counts only together with its other half.
    static func escape(at position: Int, end: Int, in body: Span<UInt8>) -> (scalar: UInt32, next: Int)? {
        guard position + 1 < end else { return nil }
        switch body[position + 1] {
        case UInt8(ascii: "\""): return (0x22, position + 2)
        case UInt8(ascii: "\\"): return (0x5C, position + 2)
        case UInt8(ascii: "/"): return (0x2F, position + 2)
        case UInt8(ascii: "b"): return (0x08, position + 2)
        case UInt8(ascii: "f"): return (0x0C, position + 2)
        case UInt8(ascii: "n"): return (0x0A, position + 2)
        case UInt8(ascii: "r"): return (0x0D, position + 2)
        case UInt8(ascii: "t"): return (0x09, position + 2)
        case UInt8(ascii: "u"): break
        default: return nil
        }
        guard let unit = unit(at: position + 2, end: end, in: body) else { return nil }
        switch unit {
        case 0xD800...0xDBFF:
            guard position + 7 < end, body[position + 6] == UInt8(ascii: "\\"), body[position + 7] == UInt8(ascii: "u"),
                let low = self.unit(at: position + 8, end: end, in: body), 0xDC00...0xDFFF ~= low
            else { return nil }
            return (0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00), position + 12)
        case 0xDC00...0xDFFF: return nil
        default: return (unit, position + 6)
        }
    }

    private static func unit(at position: Int, end: Int, in body: Span<UInt8>) -> UInt32? {
        guard position + 4 <= end, let bytes = Hex.decode(body.extracting(position..<(position + 4))) else {
            return nil
        }
        return UInt32(bytes[0]) << 8 | UInt32(bytes[1])
    }

    private static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
        func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar >> shift) & 0x3F }
        switch scalar {
        case 0..<0x80:
            bytes.append(UInt8(truncatingIfNeeded: scalar))
        case 0x80..<0x800:
            bytes.append(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
            bytes.append(tail(0))
        case 0x800..<0x10000:
            bytes.append(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
            bytes.append(tail(6))
            bytes.append(tail(0))
        default:
            bytes.append(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18))
            bytes.append(tail(12))
            bytes.append(tail(6))
            bytes.append(tail(0))
        }
    }
}
