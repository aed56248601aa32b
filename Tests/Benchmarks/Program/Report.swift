// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Everything that was measured.
struct Report: Encodable {
    var rows: [Row] = []
    var processes: [Contest.Result] = []
    /// What could not be measured, and why.
    var left: [String] = []

    func print(asJSON: Bool) throws {
        guard !asJSON else {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
            return
        }
        Swift.print(
            Text.table(
                [["row", "measured", "budget", "verdict", "beside"]]
                    + rows.map { row in
                        let budget = row.budget.map { "\(row.relation ?? "") \(Text.number($0)) \(row.unit)" } ?? ""
                        return [
                            row.name, "\(Text.number(row.measured)) \(row.unit)", budget, row.verdict, row.beside,
                        ]
                    }))
        if !processes.isEmpty {
            Swift.print("\nWhole processes, \(processes[0].runs) runs each, shuffled (x = times pam_permit):")
            Swift.print(Contest.table(processes))
        }
        for reason in left { Swift.print("not measured: \(reason)") }
        for row in rows where row.isOver {
            let limit = row.budget.map { "\(row.relation ?? "") \(Text.number($0)) \(row.unit)" } ?? ""
            Swift.print("over budget: \(row.name): \(Text.number(row.measured)) \(row.unit), should be \(limit)")
        }
    }
}
