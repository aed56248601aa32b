// SPDX-License-Identifier: Apache-2.0

/// The user IDs that a server accepts: 1 to 256 bytes of UTF-8 without invisible characters or blanks at the ends.
package enum UserName {
    package static func isValid(_ name: String) -> Bool {
        guard 1...256 ~= name.utf8.count, name.first?.isWhitespace == false, name.last?.isWhitespace == false else {
            return false
        }
        return name.unicodeScalars.allSatisfy(isVisible)
    }

    /// Whether a terminal or page shows something for a character. A name with other characters can look like another
    /// name.
    static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: false
        // The blank pattern of Braille has no property that says that it is empty.
        default: !scalar.properties.isDefaultIgnorableCodePoint && scalar != "\u{2800}"
        }
    }
}
