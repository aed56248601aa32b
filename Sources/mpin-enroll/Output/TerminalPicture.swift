// SPDX-License-Identifier: Apache-2.0
import CommandSyntax
import Glibc

/// A text as a QR code on standard error, for a terminal.
enum TerminalPicture {
    /// - Returns: `nil` if standard error is not a terminal or too narrow, or libqrencode is not installed.
    static func text(of content: String) -> String? {
        guard isatty(STDERR_FILENO) == 1, let code = QRCode(content) else { return nil }
        guard code.width(isUnicode: isUnicode) <= columns else { return nil }
        return code.text(isColored: variable("NO_COLOR") == nil && variable("TERM") != "dumb", isUnicode: isUnicode)
    }

    /// Whether the locale has UTF-8.
    private static var isUnicode: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first ?? ""
        return ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
    }

    private static var columns: Int {
        if let given = variable("COLUMNS").flatMap({ Int($0) }), given > 0 { return given }
        var size = winsize()
        guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// A variable that is set and not empty.
    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
