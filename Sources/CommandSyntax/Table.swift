/// A table: aligned columns below a heading on a terminal, tab-separated lines elsewhere.
public struct Table {
    private let heading: [String]
    private let rows: [[String]]

    public init(heading: [String], rows: [[String]]) {
        self.heading = heading
        self.rows = rows
    }

    /// The lines; empty without rows.
    ///
    /// - Parameter isTerminal: whether standard output is a terminal.
    public func lines(isTerminal: Bool) -> [String] {
        guard isTerminal, !rows.isEmpty else { return rows.map { $0.joined(separator: "\t") } }
        let all = [heading] + rows
        let widths = heading.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let isLast = column == row.count - 1
                return cell.0 + (isLast ? "" : String(repeating: " ", count: cell.1 - cell.0.count))
            }.joined(separator: "  ")
        }
    }
}
