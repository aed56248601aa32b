// SPDX-License-Identifier: Apache-2.0

/// Members as values of a type. "Optional" means that the member may be missing or null, not that it may be of another
/// type.
extension JSONObject {
    /// Reads a text.
    ///
    /// A text with U+0000 is refused: the protocol never needs it, and C would end the text there.
    @inline(never)
    package func text(_ field: MemberName, in body: Span<UInt8>) throws(WireError) -> ByteText {
        try Self.text(required(field, in: body), field, in: body)
    }

    @inline(never)
    package func optionalText(_ field: MemberName, in body: Span<UInt8>) throws(WireError) -> ByteText? {
        guard let value = optional(field, in: body) else { return nil }
        return try Self.text(value, field, in: body)
    }

    /// Reads a text that is only for display; nil if it is missing or of another type.
    @inline(never)
    package func displayText(_ field: MemberName, in body: Span<UInt8>) -> ByteText? {
        do { return try optionalText(field, in: body) } catch { return nil }
    }

    /// Reads a whole number without fraction or exponent.
    @inline(never)
    package func integer(_ field: MemberName, in body: Span<UInt8>) throws(WireError) -> Int {
        guard let number = Self.integer(try required(field, in: body), in: body) else { throw .invalid(field) }
        return number
    }

    @inline(never)
    package func optionalInteger(_ field: MemberName, in body: Span<UInt8>) throws(WireError) -> Int? {
        guard let value = optional(field, in: body) else { return nil }
        guard let number = Self.integer(value, in: body) else { throw .invalid(field) }
        return number
    }

    /// Reads a whole number that is only for display.
    @inline(never)
    package func displayInteger(_ field: MemberName, in body: Span<UInt8>) -> Int? {
        guard let value = optional(field, in: body) else { return nil }
        return Self.integer(value, in: body)
    }

    /// Reads true or false.
    @inline(never)
    package func optionalFlag(_ field: MemberName, in body: Span<UInt8>) throws(WireError) -> Bool? {
        switch optional(field, in: body)?.kind {
        case nil: return nil
        case .yes: return true
        case .no: return false
        default: throw .invalid(field)
        }
    }

    /// Reads a flag that only affects a user interface; the default if it is missing or of another type.
    @inline(never)
    package func displayFlag(_ field: MemberName, default value: Bool, in body: Span<UInt8>) -> Bool {
        switch optional(field, in: body)?.kind {
        case .yes: true
        case .no: false
        default: value
        }
    }

    @inline(never)
    static func text(_ value: JSONValue, _ field: MemberName, in body: Span<UInt8>) throws(WireError) -> ByteText {
        guard value.isText else { throw .invalid(field) }
        let text = ByteText(JSONText.bytes(value, in: body))
        for byte in text.bytes where byte == 0 { throw .invalid(field) }
        return text
    }

    @inline(never)
    static func integer(_ value: JSONValue, in body: Span<UInt8>) -> Int? {
        guard value.kind == .number else { return nil }
        var position = value.range.lowerBound
        let isNegative = body[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        var result = 0
        while position < value.range.upperBound {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= body[position] else { return nil }
            let digit = Int(body[position] - UInt8(ascii: "0"))
            let (product, tooBig) = result.multipliedReportingOverflow(by: 10)
            let (next, stillTooBig) = product.addingReportingOverflow(isNegative ? -digit : digit)
            guard !tooBig, !stillTooBig else { return nil }
            result = next
            position += 1
        }
        return result
    }
}
