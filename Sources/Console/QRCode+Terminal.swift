// SPDX-License-Identifier: Apache-2.0
package import QRCodes

extension QRCode {
    private func width(isUnicode: Bool) -> Int { (side + 2 * quietZone) * (isUnicode ? 1 : 2) }

    /// The code for a terminal, with two rows of modules on each line.
    ///
    /// - Parameters:
    ///   - isColored: whether escape sequences make the code dark on light, independent of the terminal's colors.
    ///   - isUnicode: whether half blocks can be shown. Otherwise each module is two characters, and each row is a
    ///     line.
    package func text(isColored: Bool, isUnicode: Bool) -> String {
        let range = -quietZone..<(side + quietZone)
        let (begin, end) = isColored ? ("\u{1B}[30;107m", "\u{1B}[0m") : ("", "")
        var lines: [String] = []
        for row in stride(from: range.lowerBound, to: range.upperBound, by: isUnicode ? 2 : 1) {
            let cells = range.map { column in
                let (upper, lower) = (isDark(row, column), isDark(row + 1, column))
                if !isUnicode { return upper ? "##" : "  " }
                return upper ? lower ? "\u{2588}" : "\u{2580}" : lower ? "\u{2584}" : " "
            }
            lines.append(begin + cells.joined() + end)
        }
        return lines.joined(separator: "\n")
    }

    /// The code for a display; nil if it is no terminal or too narrow.
    package func text(on display: Display) -> String? {
        guard display.isTerminal, width(isUnicode: display.isUnicode) <= display.columns else { return nil }
        return text(isColored: display.hasColors, isUnicode: display.isUnicode)
    }

    private func isDark(_ row: Int, _ column: Int) -> Bool {
        0..<side ~= row && 0..<side ~= column && modules[row * side + column]
    }
}
