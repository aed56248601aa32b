// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

struct ScenarioTests {
    @Test(.serialized, arguments: Scenario.all)
    func `the outcome is that of the file`(_ scenario: Scenario) throws {
        let variants = scenario.variants
        let texts = try variants.map { try ScenarioRunner().play($0) }
        if ProcessInfo.processInfo.environment["MPIN_RECORD_SCENARIOS"] != nil {
            let all = try String(contentsOf: scenario.file, encoding: .utf8)
            try all.replacing(scenario.text, with: scenario.merged(texts), maxReplacements: 1)
                .write(to: scenario.file, atomically: true, encoding: .utf8)
        } else {
            #expect(texts == variants.map(\.text))
        }
    }

    @Test
    func `there are scenarios`() {
        #expect(Scenario.all.flatMap(\.variants).count >= 320)
        // Two with one title could not be told apart.
        #expect(Set(Scenario.all.map(\.title)).count == Scenario.all.count)
    }

    @Test
    func `the grammar names each setting, call and event, and each topic`() throws {
        let grammar = try String(contentsOf: Scenario.directory.appending(path: "README.md"), encoding: .utf8)
        // The first column of its tables, without the placeholders.
        let known = Set(
            grammar.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
                let cell = row.split(separator: "|", maxSplits: 1)[0]
                return cell.split(separator: ",").map { Self.head(of: $0.filter { $0 != "`" }) }
            })
        for scenario in Scenario.all {
            var used = [scenario.file.deletingPathExtension().lastPathComponent]
            for step in scenario.variants.flatMap(\.steps) {
                switch step {
                case .setting(let name, _, _): used.append(name)
                case .call(let call): used += ["call \(call.name)"] + call.expected.map { Self.head(of: $0) }
                }
            }
            for word in used { #expect(known.contains(word), "\(scenario.testDescription): \(word)") }
        }
    }

    /// The first word of a line; of a call its name as well.
    private static func head(of line: String) -> String {
        let words = line.split(separator: " ")
        return words.prefix(words.first == "call" ? 2 : 1).joined(separator: " ")
    }
}
