// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A table: aligned columns below a heading on a terminal, tab-separated lines elsewhere.
package struct Table {
    /// A cell. Its text has no control characters.
    package struct Cell {
        /// The text on a terminal, and elsewhere.
        private let shown: String, plain: String
        private let paint: Display.Paint?

        /// - Parameter shown: the text on a terminal, if it is another one.
        package init(_ plain: String, shown: String? = nil, _ paint: Display.Paint? = nil) {
            self.plain = visible(plain)
            self.shown = visible(shown ?? plain)
            self.paint = paint
        }

        /// A time of ISO 8601, which a terminal shows relative to now.
        package static func time(_ stamp: String) -> Cell { Cell(stamp, shown: RelativeTime.text(of: stamp)) }

        /// - Parameter shown: the text on a terminal, if it is not the name.
        package static func state(_ name: String, shown: String? = nil) -> Cell {
            Cell(name, shown: shown, Display.Paint(state: name))
        }

        fileprivate var width: Int { Display.width(of: shown) }
        fileprivate var longestWord: Int { shown.split(separator: " ").map { Display.width(of: $0) }.max() ?? 0 }

        fileprivate func text(on display: Display) -> String {
            guard display.isTerminal else { return plain }
            return paint.map { display.painted(shown, $0) } ?? shown
        }

        /// The text in lines of at most so many columns.
        fileprivate func lines(_ columns: Int, on display: Display) -> [String] {
            guard width > columns else { return [text(on: display)] }
            return Display.wrapped(shown, columns: columns).map { line in
                paint.map { display.painted(line, $0) } ?? line
            }
        }
    }

    private let heading: [Cell]
    private let rows: [[Cell]]
    /// Whether a word of the last cell may be longer than the rest of the line. Such a table has many rows.
    private let isLog: Bool

    /// The fewest columns in which the last cell of a row is wrapped. Its words stay whole, so that they can be copied.
    private var narrowest: Int { max(20, isLog ? 0 : rows.compactMap(\.last?.longestWord).max() ?? 0) }

    package init(heading: [String], rows: [[Cell]], isLog: Bool = false) {
        self.heading = heading.map { Cell($0) }
        self.rows = rows
        self.isLog = isLog
    }

    package init(heading: [String], rows: [[String]]) {
        self.init(heading: heading, rows: rows.map { $0.map { Cell($0) } })
    }

    /// The lines; empty without rows. If a row does not fit on the terminal, its last cell is wrapped. If that does not
    /// suffice, each cell gets a separate line.
    package func lines(on display: Display) -> [String] {
        guard display.isTerminal, !rows.isEmpty else {
            return rows.map { $0.map { $0.text(on: display) }.joined(separator: "\t") }
        }
        let all = [heading] + rows
        let widths = heading.indices.dropLast().map { column in all.map { $0[column].width }.max() ?? 0 }
        let before = widths.reduce(0) { $0 + $1 + 2 }
        let last = all.compactMap(\.last?.width).max() ?? 0, room = display.columns - before
        guard last <= room || narrowest <= room else { return lists(on: display) }
        return all.flatMap { row in
            let cells = zip(row, widths).map { cell, width in
                cell.text(on: display) + String(repeating: " ", count: width - cell.width + 2)
            }
            let ends = row.last?.lines(room, on: display) ?? []
            return ends.enumerated().map { index, end in
                (index == 0 ? cells.joined() : String(repeating: " ", count: before)) + end
            }
        }
    }

    /// Each row as a list of headings and cells.
    private func lists(on display: Display) -> [String] {
        let width = heading.map(\.width).max() ?? 0
        var lines: [String] = []
        for row in rows {
            if !lines.isEmpty { lines.append("") }
            for (name, cell) in zip(heading, row) {
                let gap = String(repeating: " ", count: width - name.width + 2)
                lines.append(name.text(on: display) + gap + cell.text(on: display))
            }
        }
        return lines
    }
}

/// A time relative to now, in words: `3 minutes ago`, `in 2 days`.
package enum RelativeTime {
    /// The units with their seconds. A month has 30 days here, and a year 365.
    private static let units: [(name: String, seconds: Int64)] = [
        ("year", 31_536_000), ("month", 2_592_000), ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1),
    ]

    /// - Parameter seconds: from now to the time; negative for a time in the past.
    package static func text(seconds: Int64) -> String {
        guard seconds != 0 else { return "now" }
        let amount = amount(seconds: seconds.magnitude)
        return seconds < 0 ? amount + " ago" : "in " + amount
    }

    /// A length of time in its largest unit.
    package static func amount(seconds: UInt64) -> String {
        let unit = units.first { seconds >= $0.seconds.magnitude } ?? units[units.count - 1]
        let count = seconds / unit.seconds.magnitude
        return counted(Int(count), unit.name)
    }

    /// The distance from now to a time of ISO 8601 in UTC. Other text, which a server may send, is unchanged.
    package static func text(of stamp: String) -> String {
        guard let time = try? Date(stamp, strategy: .iso8601) else { return stamp }
        return text(seconds: Int64(time.timeIntervalSince(.now).rounded()))
    }
}
