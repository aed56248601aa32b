// SPDX-License-Identifier: Apache-2.0

/// Decodes the content of texts, including escapes.
///
/// It only works on texts that ``JSONScanner`` has accepted.
enum JSONText {
    /// The bytes of a text in UTF-8.
    @inline(never)
    static func bytes(_ text: JSONValue, in body: Span<UInt8>) -> [UInt8] {
        guard text.kind == .escapedText else { return ByteText(body.extracting(text.range)).bytes }
        var result = ByteText()
        var position = text.range.lowerBound
        while position < text.range.upperBound {
            if body[position] == UInt8(ascii: "\\") {
                guard let (scalar, next) = escape(at: position, end: text.range.upperBound, in: body) else { break }
                append(scalar, to: &result)
                position = next
            } else {
                result.append(body[position])
                position += 1
            }
        }
        return result.bytes
    }

    /// Lends the bytes of a text, without copying them if there are no escapes.
    @inline(never)
    static func withBytes(of text: JSONValue, in body: Span<UInt8>, _ isMeant: (Span<UInt8>) -> Bool) -> Bool {
        if text.kind == .plainText { return isMeant(body.extracting(text.range)) }
        let bytes = bytes(text, in: body)
        return isMeant(bytes.span)
    }

    /// Whether two texts have the same content, whatever their escapes.
    static func areEqual(_ left: JSONValue, _ right: JSONValue, in body: Span<UInt8>) -> Bool {
        withBytes(of: left, in: body) { left in withBytes(of: right, in: body) { right in left.hasSameBytes(as: right) }
        }
    }

    /// The scalar of the escape at a position, and the position after it.
    ///
    /// A surrogate is only valid together with its other half.
    @inline(never)
    static func escape(at position: Int, end: Int, in body: Span<UInt8>) -> (scalar: UInt32, next: Int)? {
        guard position + 1 < end else { return nil }
        let letter = body[position + 1]
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return (UInt32(letter), position + 2)
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

    private static func append(_ scalar: UInt32, to text: inout ByteText) {
        var shift: UInt32 = 0
        switch scalar {
        case 0..<0x80:
            text.append(UInt8(truncatingIfNeeded: scalar))
            return
        case 0x80..<0x800:
            shift = 6
            text.append(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
        case 0x800..<0x10000:
            shift = 12
            text.append(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
        default:
            shift = 18
            text.append(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18))
        }
        while shift > 0 {
            shift -= 6
            text.append(0x80 | UInt8(truncatingIfNeeded: scalar >> shift) & 0x3F)
        }
    }

    /// Appends a unit of UTF-16 as an escape.
    @inline(never)
    static func append(unit: UInt16, to text: inout ByteText) {
        text.append("\\u")
        text.append(Hex.encode([UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)].span).span)
    }
}

/// One character of UTF-8 as in RFC 3629: no overlong form, no surrogate, nothing above U+10FFFF.
package enum UTF8Sequence {
    /// The length of the character at a position, in bytes; nil if it is not well-formed.
    package static func length(at position: Int, end: Int, in body: Span<UInt8>) -> Int? {
        let first = body[position]
        let count: Int
        // The bounds of the second byte exclude overlong forms, surrogates and values beyond Unicode.
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0..<0x80: return 1
        case 0xC2...0xDF: count = 2
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: count = 3
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: count = 4
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard position + count <= end, second ~= body[position + 1] else { return nil }
        for index in (position + 2)..<max(position + 2, position + count) where body[index] & 0xC0 != 0x80 {
            return nil
        }
        return count
    }

    /// Whether a text is UTF-8 from its beginning to its end.
    @inline(never)
    package static func isWellFormed(_ text: Span<UInt8>) -> Bool {
        var position = 0
        while position < text.count {
            guard let length = length(at: position, end: text.count, in: text) else { return false }
            position += length
        }
        return true
    }
}
