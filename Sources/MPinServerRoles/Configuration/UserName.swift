// SPDX-License-Identifier: Apache-2.0

/// The user IDs that a server accepts: 1 to 256 bytes of UTF-8 without invisible characters and white space.
package enum UserName {
    /// Account names and mail addresses have no white space, so a name with it is a mistake.
    package static func isValid(_ name: String) -> Bool {
        isDistinct(name) && !name.unicodeScalars.contains(where: \.properties.isWhitespace)
    }

    /// Whether a text can be stored, and shows all of its characters.
    static func isDistinct(_ text: String) -> Bool {
        isPrintable(text) && text.unicodeScalars.allSatisfy(isVisible)
    }

    /// Whether a text that identifies no user or device can be stored and shown: as a user ID, but emoji may have their
    /// variation selector.
    package static func isPrintable(_ text: String) -> Bool {
        guard 1...256 ~= text.utf8.count, text.first?.isWhitespace == false, text.last?.isWhitespace == false else {
            return false
        }
        return text.unicodeScalars.allSatisfy(isPrintable)
    }

    /// Whether a terminal or page shows something for a character. A name with other characters can look like another
    /// name.
    static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        // The blank pattern of Braille has no property that says that it is empty.
        isPrintable(scalar) && !scalar.properties.isDefaultIgnorableCodePoint && scalar != "\u{2800}"
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
