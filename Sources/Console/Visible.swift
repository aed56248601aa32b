// SPDX-License-Identifier: Apache-2.0

/// Removes control characters and invisible ones, because text from a server, a file or a command line must not send
/// escape sequences to the terminal.
package func visible(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.properties.isInvisible }))
}

/// The part of a name that a reader can see: also without blanks at its ends, and with one blank instead of several.
package func legible(_ name: String) -> String {
    visible(name).unicodeScalars.split { $0.properties.isWhitespace || $0 == "\u{2800}" }.map { String($0) }
        .joined(separator: " ")
}

/// Removes control characters and invisible ones from each line.
package func visibleLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { visible(String($0)) }.joined(separator: "\n")
}

extension Unicode.Scalar.Properties {
    fileprivate var isInvisible: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: isDefaultIgnorableCodePoint
        }
    }
}
