// SPDX-License-Identifier: Apache-2.0

/// The user IDs that a server accepts: 1 to 256 bytes of UTF-8 without control characters or blanks at the ends.
package enum UserName {
    package static func isValid(_ name: String) -> Bool {
        guard 1...256 ~= name.utf8.count, name.first?.isWhitespace == false, name.last?.isWhitespace == false else {
            return false
        }
        return name.unicodeScalars.allSatisfy(isVisible)
    }

    /// Whether a character is neither a control character nor invisible.
    static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && !(0x7F...0x9F ~= scalar.value) && !isFormat(scalar)
    }

    /// Invisible characters that change the direction of text or join it. A name with them can look like another name.
    private static func isFormat(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
            0xE_0000...0xE_007F:
            true
        default: false
        }
    }
}
