// SPDX-License-Identifier: Apache-2.0
extension ClientSettings {
    /// Whether the server offers an extension.
    @inline(never)
    package func offers(_ extension: ProtocolExtension) -> Bool {
        let body = source.span
        guard let names = try? object.elements(.extensions, in: body) else { return false }
        return names.contains { `extension`.rawValue.matches(JSONText.bytes($0, in: body).span) }
    }

    /// A member of any name as a string: numbers without their fraction, `true` or `false`, and an empty string if it
    /// is missing, null, an array or an object.
    package func parameter(_ name: String) -> String {
        let body = source.span
        guard let value = object.member(named: ByteText(name), in: body) else { return "" }
        switch value.kind {
        case .plainText, .escapedText: return ByteText(JSONText.bytes(value, in: body)).string
        case .yes: return "true"
        case .no: return "false"
        case .number:
            let whole = value.range.prefix {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= body[$0] || body[$0] == UInt8(ascii: "-")
            }
            return ByteText(whole.map { body[$0] }).string
        case .null, .array, .object: return ""
        }
    }
}
