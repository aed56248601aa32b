// SPDX-License-Identifier: Apache-2.0

/// Bytes received as hexadecimal text that must be sent back unchanged.
///
/// Two are equal if their bytes are equal, whatever the case of their digits.
package struct HexText: Sendable, Hashable {
    /// The digits as they were received; an even number of them.
    package let text: [UInt8]

    /// The lower-case text of some bytes.
    package init(bytes: [UInt8]) { text = Hex.encode(bytes.span) }

    /// Makes one from received text; nil if it is not an even number of hexadecimal digits.
    @inline(never)
    package init?(text: Span<UInt8>) {
        guard Hex.decode(text) != nil else { return nil }
        self.text = ByteText(text).bytes
    }

    /// The decoded bytes.
    package var bytes: [UInt8] { Hex.decode(text.span) ?? [] }

    package var digits: ByteText { ByteText(text) }

    /// A copy with lower-case digits, as a server stores them.
    package var lowercased: HexText { HexText(bytes: bytes) }

    @inline(never)
    package static func == (left: HexText, right: HexText) -> Bool {
        left.bytes.span.hasSameBytes(as: right.bytes.span)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension HexText {
    package var string: String { digits.string }
}
