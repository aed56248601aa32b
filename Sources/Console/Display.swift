// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
import CTerminal
import Glibc

/// The output capabilities of a stream: colors, characters beyond ASCII, and the width.
package struct Display {
    /// The values of `--color`.
    package enum Colors: String, CaseIterable, ExpressibleByArgument { case auto, always, never }

    package let hasColors: Bool
    /// Whether characters beyond ASCII can be shown.
    package let isUnicode: Bool
    package let isTerminal: Bool
    /// The width of the terminal; unlimited if there is none.
    package let columns: Int
    /// The height of the terminal; unlimited if there is none.
    package let rows: Int

    package init(_ descriptor: Int32, _ colors: Colors = .auto) {
        isTerminal = isatty(descriptor) == 1
        hasColors =
            switch colors {
            case .always: true
            case .never: false
            case .auto: isTerminal && Display.variable("NO_COLOR") == nil && Display.variable("TERM") != "dumb"
            }
        // The first of these that is set decides, like in the C library.
        let locale = Display.variable("LC_ALL") ?? Display.variable("LC_CTYPE") ?? Display.variable("LANG") ?? ""
        isUnicode = ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
        let size = Display.size(of: descriptor)
        columns = isTerminal ? max(20, Display.number("COLUMNS") ?? size.columns) : Int.max
        rows = isTerminal ? Display.number("LINES") ?? size.rows : Int.max
    }

    package static var output: Display { Display(STDOUT_FILENO) }

    /// A variable of the environment that is not empty.
    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    private static func number(_ name: String) -> Int? {
        variable(name).flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    private static func size(of descriptor: Int32) -> (columns: Int, rows: Int) {
        var size = winsize()
        let isKnown = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return (isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80, isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    package enum Paint: String { case red = "31", green = "32", yellow = "33" }

    package func painted(_ text: String, _ paint: Paint) -> String {
        hasColors ? "\u{1b}[\(paint.rawValue)m\(text)\u{1b}[0m" : text
    }

    /// A time of ISO 8601, on a terminal with its distance from now.
    package func time(_ stamp: String) -> String { isTerminal ? "\(stamp) (\(RelativeTime.text(of: stamp)))" : stamp }

    /// - Parameter shown: the text for it, if it is not the name.
    package func state(_ name: String, shown: String? = nil) -> String {
        Paint(state: name).map { painted(shown ?? name, $0) } ?? shown ?? name
    }

    /// A line, broken between words if it is too long. A command of ours after its last colon stays whole, so that it can
    /// be copied.
    package static func hint(_ line: String, columns: Int, indentation margin: Int = 0) -> [String] {
        let indentation = margin + line.prefix { $0 == " " }.count, text = line.drop { $0 == " " }
        guard columns != Int.max, width(of: text) > columns - indentation else {
            return [String(repeating: " ", count: margin) + line]
        }
        guard let colon = text.ranges(of: ": ").last,
            ["sudo ", "mpin-", "man "].contains(where: { text[colon.upperBound...].hasPrefix($0) })
        else { return wrapped(text, columns: columns, indentation: indentation) }
        let words = wrapped(text[..<colon.lowerBound] + ":", columns: columns, indentation: indentation)
        let command = text[colon.upperBound...]
        // A command that is too long for any line gains nothing from one of its own.
        guard let last = words.last, width(of: command) > columns - indentation else {
            return words + [String(repeating: " ", count: indentation) + command]
        }
        return words.dropLast() + [last + " " + command]
    }

    /// - Parameter indentation: the number of blanks before each line.
    package static func wrapped(_ text: some StringProtocol, columns: Int, indentation: Int = 0) -> [String] {
        let room = max(10, columns == Int.max ? Int.max : columns - indentation)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, width(of: line) + 1 + width(of: word) > room {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return (lines + [line]).map { String(repeating: " ", count: indentation) + $0 }
    }
}

extension Display.Paint {
    /// The color for the state of a user or device, as a server names it. If there are several with commas between them,
    /// the first one decides. Nil for states without a color.
    package init?(state: String) {
        switch state.prefix(while: { $0 != "," }) {
        case "REGISTERED": self = .green
        case "BLOCKED", "REVOKED", "SUSPENDED": self = .red
        case "INVITED", "STARTED_REGISTRATION", "ACTIVATED": self = .yellow
        default: return nil
        }
    }
}

extension Display {
    /// The number of lines that a text takes on this terminal.
    package func height(of text: String) -> Int {
        text.split(separator: "\n").reduce(0) { $0 + 1 + max(0, Display.width(of: $1) - 1) / columns }
    }

    /// The number of columns that a text takes on a terminal. Sequences for colors take none.
    package static func width(of text: some StringProtocol) -> Int {
        let parts = text.split(separator: "\u{1b}", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(columns(of: parts[0])) { $0 + columns(of: $1.drop { $0 != "m" }.dropFirst()) }
    }

    private static func columns(of text: some StringProtocol) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x300 ? 1 : Int(mpin_terminal_columns($1.value))) }
    }
}
