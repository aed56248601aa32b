// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A scenario as the file of its topic has it. Tests/Scenarios/README.md states the grammar.
struct Scenario: Sendable, CustomTestStringConvertible {
    struct Call {
        let name: String
        var expected: [String] = []
        let line: Int
    }

    enum Step {
        case setting(name: String, value: String, line: Int)
        case call(Call)
    }

    let file: URL
    /// Its lines, from the one with its title.
    let text: String
    /// The number of the first line in the file.
    let firstLine: Int

    /// The topic, which is the name of the file, the line and the title.
    var testDescription: String { "\(file.lastPathComponent):\(firstLine): \(title)" }

    var title: Substring { text.prefix { $0 != "\n" }.dropFirst(Self.beginning.count) }

    static let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Scenarios").resolvingSymlinksInPath()

    private static let beginning = "scenario "

    static let all: [Scenario] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.filter { $0.hasSuffix(".scenario") }.sorted().flatMap {
            scenarios(of: directory.appending(path: $0))
        }
    }()

    private static func scenarios(of file: URL) -> [Scenario] {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let starts = lines.indices.filter { lines[$0].hasPrefix(beginning) }
        return zip(starts, starts.dropFirst() + [lines.endIndex]).map { start, end in
            Scenario(file: file, text: lines[start..<end].joined(separator: "\n"), firstLine: start + 1)
        }
    }

    var steps: [Step] {
        var steps: [Step] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().dropFirst() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("  ") {
                guard case .call(var call)? = steps.popLast() else { continue }
                call.expected.append(String(line.dropFirst(2)))
                steps.append(.call(call))
                continue
            }
            let words = line.split(separator: " ", maxSplits: 1)
            let value = words.count > 1 ? String(words[1]) : ""
            if words[0] == "call" {
                steps.append(.call(Call(name: value, line: index + 1)))
            } else {
                steps.append(.setting(name: String(words[0]), value: value, line: index + 1))
            }
        }
        return steps
    }
}
