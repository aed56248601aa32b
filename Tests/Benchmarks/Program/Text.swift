// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How numbers and tables are written.
enum Text {
    /// Three significant digits, without an exponent.
    static func number(_ value: Double) -> String {
        guard value != 0 else { return "0" }
        let digits = max(0, 2 - Int(log10(abs(value)).rounded(.down)))
        return String(format: "%.\(value == value.rounded() ? 0 : digits)f", value)
    }

    /// Columns as wide as their widest cell, the first line underlined.
    static func table(_ rows: [[String]]) -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
        }
        lines.insert(widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "), at: 1)
        return lines.map { $0.replacingOccurrences(of: " +$", with: "", options: .regularExpression) }
            .joined(separator: "\n")
    }
}
