/// Bytes that came as hexadecimal text and must go back exactly as they came.
///
/// Two are equal when their bytes are, whatever the case of their digits.
package struct HexText: Sendable, Hashable {
    /// The digits as they were received.
    package let text: [UInt8]
    /// What the digits stand for.
    package let bytes: [UInt8]

    /// The lower-case text of some bytes.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
        text = Hex.encode(bytes.span)
    }

    /// Text as received; nil when it is not an even number of hexadecimal digits.
    package init?(text: Span<UInt8>) {
        guard let bytes = Hex.decode(text) else { return nil }
        self.bytes = bytes
        self.text = text.indices.map { text[$0] }
    }

    /// The digits as a string.
    package var string: String { String(decoding: text, as: UTF8.self) }

    /// The same bytes in lower-case digits, as a server keeps them.
    package var lowercased: HexText { HexText(bytes: bytes) }

    package static func == (left: HexText, right: HexText) -> Bool { left.bytes == right.bytes }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
