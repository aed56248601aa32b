// SPDX-License-Identifier: Apache-2.0

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

    /// Reads an array of texts.
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
