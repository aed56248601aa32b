// SPDX-License-Identifier: Apache-2.0

/// A table: aligned columns below a heading on a terminal, tab-separated lines elsewhere.
package struct Table {
    private let heading: [String]
    private let rows: [[String]]

    package init(heading: [String], rows: [[String]]) {
        self.heading = heading
        self.rows = rows
    }

    /// The lines; empty without rows. If a row does not fit on the terminal, each cell gets a separate line.
    package func lines(on display: Display) -> [String] {
        guard display.isTerminal, !rows.isEmpty else { return rows.map { $0.joined(separator: "\t") } }
        let all = [heading] + rows
        let widths = heading.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        if widths.reduce(-2, { $0 + $1 + 2 }) > display.columns { return lists }
        return all.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let isLast = column == row.count - 1
                return cell.0 + (isLast ? "" : String(repeating: " ", count: cell.1 - cell.0.count))
            }.joined(separator: "  ")
        }
    }

    /// Each row as a list of headings and cells.
    private var lists: [String] {
        let width = heading.map(\.count).max() ?? 0
        var lines: [String] = []
        for row in rows {
            if !lines.isEmpty { lines.append("") }
            for (name, cell) in zip(heading, row) {
                let gap = String(repeating: " ", count: width - name.count + 2)
                lines.append(name + gap + cell)
            }
        }
        return lines
    }
}
