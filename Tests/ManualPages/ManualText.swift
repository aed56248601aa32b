// SPDX-License-Identifier: Apache-2.0

/// Sentences of the sources in mdoc, the language of manual pages.
public enum ManualText {
    /// The lines of a paragraph that is written in Markdown: code is a literal, a link the page that covers its target.
    ///
    /// - Parameter links: the manual page that replaces each target, as `pam_mpin 8`.
    public static func lines(_ markdown: String, links: [String: String] = [:]) -> [String] {
        var paragraph = Paragraph()
        for (index, part) in linked(markdown, links).split(separator: "`", omittingEmptySubsequences: false)
            .enumerated()
        {
            guard index % 2 == 1 else {
                paragraph.add(text: String(part))
                continue
            }
            paragraph.add(macro: part.first == "\u{1}" ? "Xr " + part.dropFirst() : "Ql " + literal(String(part)))
        }
        return paragraph.lines
    }

    /// The sentence with a capital letter and a full stop.
    public static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

    /// Links become code whose first character tells it from other code.
    private static func linked(_ markdown: String, _ links: [String: String]) -> String {
        var text = markdown
        for (target, page) in links { text = text.replacing("[\(target)](\(target))", with: "`\u{1}\(page)`") }
        return text
    }

    /// One argument of a macro. A long list gets spaces, where lines can be broken.
    private static func literal(_ code: String) -> String {
        let text = code.count > 60 ? code.replacing(",", with: ", ") : code
        return text.contains(" ") || text.isEmpty ? "\"\(text)\"" : text
    }
}

/// The lines of a paragraph while they are made.
private struct Paragraph {
    private static let width = 78
    private static let closing = ".,:;)?!"

    private(set) var lines: [String] = []
    private var isBehindMacro = false
    /// An opening parenthesis that the next macro takes along.
    private var opening = ""

    /// A sentence begins on a line of its own, and punctuation belongs to the macro before it.
    mutating func add(text: String) {
        var rest = Substring(text)
        while isBehindMacro, let mark = rest.first, Self.closing.contains(mark) {
            lines[lines.count - 1] += " \(mark)"
            rest = rest.dropFirst()
        }
        if rest.hasSuffix("(") {
            opening = "( "
            rest = rest.dropLast()
        }
        var startsLine = true
        for word in rest.split(separator: " ") {
            if startsLine || lines[lines.count - 1].count + 1 + word.count > Self.width {
                lines.append(String(word))
            } else {
                lines[lines.count - 1] += " " + word
            }
            startsLine = word.hasSuffix(".")
            isBehindMacro = false
        }
    }

    mutating func add(macro: String) {
        let (name, arguments) = (macro.prefix(2), macro.dropFirst(3))
        lines.append(".\(name) \(opening)\(arguments)")
        opening = ""
        isBehindMacro = true
    }
}
