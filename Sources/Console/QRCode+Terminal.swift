// SPDX-License-Identifier: Apache-2.0
package import QRCodes

extension QRCode {
    /// The code for a display, dark on light, with two rows of modules on each line.
    ///
    /// Nil where a camera could not read it, or where it does not fit: on no terminal, without colors, in a locale without
    /// half blocks, and on a terminal that has not enough lines.
    ///
    /// - Parameter linesElsewhere: the lines that must be visible besides the code.
    package func text(on display: Display, linesElsewhere: Int) -> String? {
        let range = -quietZone..<(side + quietZone)
        guard display.isTerminal, display.hasColors, display.isUnicode, range.count <= display.columns,
            (range.count + 1) / 2 + linesElsewhere <= display.rows
        else { return nil }
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let cells = range.map { column in
                let (upper, lower) = (isDark(row, column), isDark(row + 1, column))
                return upper ? lower ? "\u{2588}" : "\u{2580}" : lower ? "\u{2584}" : " "
            }
            // Black on white, whatever the colors of the terminal are.
            return "\u{1B}[38;5;16;48;5;231m" + cells.joined() + "\u{1B}[0m"
        }.joined(separator: "\n")
    }

    private func isDark(_ row: Int, _ column: Int) -> Bool {
        0..<side ~= row && 0..<side ~= column && modules[row * side + column]
    }
}
