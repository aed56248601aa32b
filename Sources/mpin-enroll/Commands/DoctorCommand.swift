// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc

struct DoctorCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find problems on this machine, and show the fixes.",
        discussion: "Exits with 1 if it finds a fault. Changes nothing, except file modes with --fix.")

    @Flag(help: "Restrict the modes of files that other users can read or change.") var fix = false
    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Report {
        var examination = Examination(common)
        var mended: [String] = []
        // Files in an unsafe directory are checked only after the directory is closed: store, users, file.
        var rounds = fix ? 4 : 0
        while rounds > 0, !examination.repairs.isEmpty {
            mended += examination.repairs.filter { $0.perform() }.map(\.sentence)
            examination = Examination(common)
            rounds -= 1
        }
        let display = common.display(STDOUT_FILENO)
        let lines = examination.findings.flatMap { self.lines(of: $0, display) }
        return Report(
            mended + lines + [DoctorCommand.summary(examination)], members(examination, mended),
            exitStatus: examination.count(.fault) > 0 ? .unclassified : .done, isAnswer: true,
            paints: Finding.Grade.allCases.compactMap { grade in
                DoctorCommand.paint(grade).map { (grade.text(isUnicode: display.isUnicode), $0) }
            })
    }

    private static func paint(_ grade: Finding.Grade) -> Display.Paint? {
        switch grade {
        case .ok: .green
        case .warning: .yellow
        case .fault: .red
        case .unknown: nil
        }
    }

    private func lines(of finding: Finding, _ display: Display) -> [String] {
        let mark = finding.grade.text(isUnicode: display.isUnicode)
        let indentation = display.columns < 60 ? 2 : 10
        var lines = Display.wrapped(finding.sentence, columns: display.columns, indentation: indentation)
        if indentation > mark.count {
            lines[0] = mark + lines[0].dropFirst(mark.count)
        } else {
            lines.insert(mark, at: 0)
        }
        guard finding.grade != .ok, let advice = finding.advice else { return lines }
        return lines
            + advice.lines(common).flatMap {
                Display.hint($0, columns: display.columns, indentation: indentation)
            }
    }

    private static func summary(_ examination: Examination) -> String {
        let counts = [(Finding.Grade.fault, "fault"), (.warning, "warning")].compactMap { grade, name -> String? in
            let count = examination.count(grade)
            return count == 0 ? nil : counted(count, name)
        }
        let hidden = examination.count(.unknown)
        guard hidden > 0 else { return counts.isEmpty ? "No fault was found." : counts.joined(separator: ", ") + "." }
        let found = counts.isEmpty ? "Incomplete" : counts.joined(separator: ", ") + ", and incomplete"
        return "\(found): \(hidden) \(hidden == 1 ? "part" : "parts") could not be checked."
    }

    private func members(_ examination: Examination, _ mended: [String]) -> Members {
        let checks = examination.findings.map { finding -> Members in
            var check: Members = [
                "area": finding.area, "grade": finding.grade.rawValue, "message": finding.sentence,
            ]
            if finding.grade != .ok, let advice = finding.advice { check["hint"] = advice.text(common) }
            return check
        }
        var members: Members = [
            "checks": checks, "faults": examination.count(.fault),
            "warnings": examination.count(.warning), "unknown": examination.count(.unknown),
        ]
        if !mended.isEmpty { members["mended"] = mended }
        return members
    }
}
