// SPDX-License-Identifier: Apache-2.0

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
