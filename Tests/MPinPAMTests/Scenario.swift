import Foundation
import Testing

/// A scenario as it stands in its file.
///
/// Lines that begin at the margin settle something or begin a call; indented lines below a call are what has to happen
/// in it, in that order and nothing else. `answer` among them is what the person types at the question before it.
/// `#` begins a comment. All settings are listed with the runner.
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

    var testDescription: String { file.lastPathComponent }

    static let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Scenarios").resolvingSymlinksInPath()

    static let all: [Scenario] = {
        let files = (try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "scenario" }.sorted { $0.path < $1.path }.map { file in
            Scenario(file: file, text: (try? String(contentsOf: file, encoding: .utf8)) ?? "")
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
