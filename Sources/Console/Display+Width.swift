// SPDX-License-Identifier: Apache-2.0

extension Display {
    /// The number of columns that a text takes on a terminal. Sequences for colors take none.
    package static func width(of text: some StringProtocol) -> Int {
        let parts = text.split(separator: "\u{1b}", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(columns(of: parts[0])) { $0 + columns(of: $1.drop { $0 != "m" }.dropFirst()) }
    }

    private static func columns(of text: some StringProtocol) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }

    /// The columns of a character. `wcwidth` of the C library returns this only for the characters of the current
    /// locale, and the C locale has none beyond ASCII.
    private static func columns(of scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x300 else { return 1 }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch scalar.value {
        // Vowels and final consonants of Hangul: the terminal joins them with the consonant before.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        // Half a flag.
        case 0x1F1E6...0x1F1FF: return 1
        default: return properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
        }
    }

    /// Whether a character other than an emoji has the property East_Asian_Width W or F, which Swift does not offer.
    /// Characters that Unicode reserves for these scripts count, too.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D8F,
            0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
