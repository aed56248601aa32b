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

/// Members that are bytes in hexadecimal. Escapes inside such a text are refused: no client or server writes digits
/// that way.
extension JSONObject {
    /// Reads exactly the given number of bytes.
    @inline(never)
    package func bytes(_ field: MemberName, count: Int, in body: Span<UInt8>) throws(WireError) -> [UInt8] {
        let text = try digits(required(field, in: body), field)
        guard text.count == 2 * count, let bytes = Hex.decode(body.extracting(text)) else { throw .invalid(field) }
        return bytes
    }

    /// Reads the 65 bytes of a point of G1. MPinCrypto checks whether it is on the curve.
    @inline(never)
    package func point(_ field: MemberName, in body: Span<UInt8>) throws(WireError) -> [UInt8] {
        let bytes = try bytes(field, count: PointFormat.size, in: body)
        guard bytes[0] == PointFormat.prefix else { throw .invalid(field) }
        return bytes
    }

    /// Reads a secret point of G1 into a buffer of the caller, and nowhere else.
    ///
    /// - Parameter share: 65 bytes; zeros after an error.
    @inline(never)
    package func secretPoint(
        _ field: MemberName, in body: Span<UInt8>, into share: inout MutableSpan<UInt8>
    ) throws(WireError) {
        for index in share.indices { share[index] = 0 }
        let text = try digits(required(field, in: body), field)
        guard PointFormat.read(body.extracting(text), into: &share) else { throw .invalid(field) }
    }

    /// Reads a secret of the same length as a buffer of the caller, into that buffer and nowhere else.
    ///
    /// - Parameter secret: zeros after an error.
    @inline(never)
    package func secret(
        _ field: MemberName, in body: Span<UInt8>, into secret: inout MutableSpan<UInt8>
    ) throws(WireError) {
        for index in secret.indices { secret[index] = 0 }
        let text = try digits(required(field, in: body), field)
        guard Hex.decode(body.extracting(text), into: &secret) else { throw .invalid(field) }
    }

    /// Reads bytes that have to be sent back unchanged.
    @inline(never)
    package func hexText(
        _ field: MemberName, count: ClosedRange<Int>, in body: Span<UInt8>
    ) throws(WireError) -> HexText {
        try Self.hexText(required(field, in: body), field, count: count, in: body)
    }

    @inline(never)
    package func optionalHexText(
        _ field: MemberName, count: ClosedRange<Int>, in body: Span<UInt8>
    ) throws(WireError) -> HexText? {
        guard let value = optional(field, in: body) else { return nil }
        return try Self.hexText(value, field, count: count, in: body)
    }

    @inline(never)
    private static func hexText(
        _ value: JSONValue, _ field: MemberName, count: ClosedRange<Int>, in body: Span<UInt8>
    ) throws(WireError) -> HexText {
        guard value.kind == .plainText, let text = HexText(text: body.extracting(value.range)),
            count ~= text.bytes.count
        else { throw .invalid(field) }
        return text
    }

    private func digits(_ value: JSONValue, _ field: MemberName) throws(WireError) -> Range<Int> {
        guard value.kind == .plainText else { throw .invalid(field) }
        return value.range
    }
}

/// Texts as strings, for servers and applications.
extension JSONObject {
    /// Reads a text; see ``text(_:in:)``.
    package func text(_ field: MemberName, in body: Span<UInt8>) throws(WireError) -> String {
        let text: ByteText = try text(field, in: body)
        return text.string
    }

    package func optionalText(_ field: MemberName, in body: Span<UInt8>) throws(WireError) -> String? {
        let text: ByteText? = try optionalText(field, in: body)
        return text?.string
    }

    /// Reads a text that is only for display; nil if it is missing or of another type.
    package func displayText(_ field: MemberName, in body: Span<UInt8>) -> String? {
        let text: ByteText? = displayText(field, in: body)
        return text?.string
    }

    package func texts(_ field: MemberName, in body: Span<UInt8>) throws(WireError) -> [String]? {
        guard let value = optional(field, in: body) else { return nil }
        guard value.kind == .array else { throw .invalid(field) }
        var scanner = JSONScanner(value.range)
        var result: [String] = []
        for element in try scanner.parts(of: .array, in: body) {
            result.append(try Self.text(element, field, in: body).string)
        }
        return result
    }
}
