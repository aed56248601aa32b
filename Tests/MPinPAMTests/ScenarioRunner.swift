// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinPAM
import MPinWire
import Testing

/// Plays a scenario and compares the outcome with its text, word for word.
struct ScenarioRunner {
    let script = Script()

    /// Plays all steps.
    ///
    /// - Returns: the text with which the scenario would pass.
    func play(_ scenario: Scenario) throws -> String {
        var secrets: [String] = []
        var transcript: [Int: [String]] = [:]
        for step in scenario.steps {
            switch step {
            case .setting(let name, let value, let line):
                try #require(settle(name, value), "\(scenario.testDescription): line \(line): \(name) \(value)")
            case .call(let call):
                let answers = call.expected.filter { $0 == "answer" || $0.hasPrefix("answer ") }
                script.answers = answers.map { Self.answer(String($0.dropFirst(7))) }
                secrets += script.answers.compactMap(\.self).filter { $0.count >= 4 }
                script.events = []
                let code = try #require(run(call.name), "\(scenario.testDescription): line \(call.line): \(call.name)")
                transcript[call.line] = Self.withAnswers(unusual, answers) + ["return \(code.name)"]
                #expect(
                    script.answers.isEmpty,
                    "\(scenario.testDescription): line \(call.line): not all answers were asked for")
                let shown = ["prompt ", "info ", "error ", "log "]
                for event in script.events where event.hasPrefix("prompt ") {
                    let width = event.split(separator: "\n").map(\.count).max() ?? 0
                    #expect(width - "prompt ".count <= 80, "\(scenario.testDescription): \(event)")
                }
                for event in script.events where shown.contains(where: { event.hasPrefix($0) }) {
                    #expect(
                        !secrets.contains { event.contains($0) }, "\(scenario.testDescription): secret in: \(event)")
                }
            }
        }
        return Self.rewritten(scenario, transcript)
    }

    /// The events without those of every call: it first looks up the user's registration, and asks for a delay before it
    /// logs a refusal or a fault. If one of them is missing, that is named.
    private var unusual: [String] {
        var events = script.events[...]
        var kept: [String] = []
        if let user = script.settings.user, events.first == "open \(user)" {
            events.removeFirst()
        } else if events.first?.hasPrefix("open ") != true {
            kept.append("no lookup")
        }
        for event in events {
            if event.hasPrefix("log refusal ") || event.hasPrefix("log fault ") {
                if kept.last == "delay 2000000" { kept.removeLast() } else { kept.append("no delay") }
            }
            kept.append(event)
        }
        return kept
    }

    private func run(_ call: String) -> ReturnCode? {
        var module = Module(
            host: ScriptedHost(script: script), system: script,
            arguments: script.settings.arguments.map { ByteText($0) })
        switch call {
        case "authenticate": return module.authenticate()
        case "account": return module.account()
        case "password-check": return module.proveCurrentPIN()
        case "password-update": return module.setNewPIN()
        default: return nil
        }
    }

    /// `answer` alone is Enter, `answer -` a failed conversation, `answer long` more than a PIN can have; backslash
    /// escapes as in C.
    private static func answer(_ text: String) -> String? {
        switch text {
        case "-": nil
        case "long": String(repeating: "1", count: 4096)
        default: text.replacing("\\b", with: "\u{8}").replacing("\\n", with: "\n").replacing("\\r", with: "\r")
        }
    }

    /// Puts the answers behind the prompts they belong to.
    private static func withAnswers(_ events: [String], _ answers: [String]) -> [String] {
        var answers = answers[...]
        return events.flatMap { $0.hasPrefix("prompt ") ? [$0] + (answers.popFirst().map { [$0] } ?? []) : [$0] }
    }

    private static func rewritten(_ scenario: Scenario, _ transcript: [Int: [String]]) -> String {
        var lines: [String] = []
        for (index, line) in scenario.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("  ") { continue }
            lines.append(String(line))
            if let events = transcript[index + 1] { lines += events.map { "  " + $0 } }
        }
        return lines.joined(separator: "\n")
    }
}
