// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The table of states, as one test case for each of its cells.
enum StateTable {
    struct Cell: Sendable, CustomTestStringConvertible {
        let call: String
        let user: String
        let serverIsChosen: Bool
        let expected: String

        var testDescription: String { "\(call) \(user)\(serverIsChosen ? "" : " without a server") \(expected)" }
    }

    static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Tables")

    /// The cells of calls for a user.
    static let cells = all.filter { !["NONE", "CHOSEN"].contains($0.user) }

    /// The cells of calls that concern no user.
    static let userlessCells = all.filter { ["NONE", "CHOSEN"].contains($0.user) }

    /// The cells of calls that can be made.
    private static let all: [Cell] = {
        let text = (try? String(contentsOf: directory.appending(path: "states.table"), encoding: .utf8)) ?? ""
        var cells: [Cell] = []
        var columns: [String] = []
        var serverIsChosen = true
        for line in text.components(separatedBy: "\n") where !line.isEmpty && !line.hasPrefix("#") {
            var words = line.split(separator: " ").map(String.init)
            let first = words.removeFirst()
            if first == "server" {
                serverIsChosen = words.removeFirst() == "chosen"
                columns = words
                continue
            }
            for (user, expected) in zip(columns, words) where expected != "-" {
                cells.append(Cell(call: first, user: user, serverIsChosen: serverIsChosen, expected: expected))
            }
            if words.count != columns.count { return [] }
        }
        return cells
    }()
}
