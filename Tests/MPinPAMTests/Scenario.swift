// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A scenario as its file has it. Tests/Scenarios/README.md states the grammar.
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
    let text: String

    /// The topic, which is the folder, and the name.
    var testDescription: String { file.pathComponents.suffix(2).joined(separator: "/") }

    static let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Scenarios").resolvingSymlinksInPath()

    static let all: [Scenario] = {
        let names = FileManager.default.enumerator(atPath: directory.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".scenario") }.sorted().map { name in
            let file = directory.appending(path: name)
            return Scenario(file: file, text: (try? String(contentsOf: file, encoding: .utf8)) ?? "")
        }
    }()

    var steps: [Step] {
        var steps: [Step] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
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
