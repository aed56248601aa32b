// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Why a command failed: the exit status, what happened, and what to do about it.
package struct CommandFailure: Error {
    package let exitStatus: ExitStatus
    /// The name of the status, for programs.
    package let code: String
    package private(set) var message: String
    package private(set) var advice: Advice?
    package let attemptsLeft: Int?
    /// Further sentences about what happened, a line each.
    package let details: [String]
    /// What the program itself can do about the failure.
    package var circumstance: (any Sendable)?
    /// Whether standard output already has the beginning of the object that reports this failure.
    package private(set) var isContinued = false

    package init(
        _ exitStatus: ExitStatus, _ code: String, _ message: String, advice: Advice? = nil, attemptsLeft: Int? = nil,
        details: [String] = [], circumstance: (any Sendable)? = nil
    ) {
        (self.exitStatus, self.code, self.message, self.advice) = (exitStatus, code, message, advice)
        (self.attemptsLeft, self.details, self.circumstance) = (attemptsLeft, details, circumstance)
    }

    /// A copy with some changes. Everything else stays, so no fact is lost.
    private func changed(_ change: (inout CommandFailure) -> Void) -> CommandFailure {
        var failure = self
        change(&failure)
        return failure
    }

    /// A copy with another hint.
    package func advising(_ advice: Advice) -> CommandFailure { changed { $0.advice = advice } }

    /// A copy with another sentence in the message.
    package func adding(_ sentence: String) -> CommandFailure { changed { $0.message += " " + sentence } }

    /// A copy that completes an object whose beginning is on standard output.
    package func continued(_ isContinued: Bool = true) -> CommandFailure { changed { $0.isContinued = isContinued } }

    func object(_ output: some OutputOptions) -> String {
        var error: Members = ["code": code, "message": message]
        error["hint"] = advice?.text(output)
        error["attemptsLeft"] = attemptsLeft
        if !details.isEmpty { error["details"] = details }
        let text = (["schema": Report.schema, "ok": false, "error": error] as Members).text
        return isContinued ? Report.continued(text) : text
    }

    /// The printed form: the object, or the message, its details and the hint.
    package func lines(_ output: some OutputOptions) -> [String] {
        guard !output.json else { return [object(output)] }
        var lines = ["\(output.program): \(visible(message))"] + details.map { visible($0) }
        if let left = attemptsLeft, left > 0 { lines.append("Tries left: \(left)") }
        return lines + (advice?.lines(output) ?? []).map { visibleLines($0) }
    }

    /// Prints the object on standard output, or lines on standard error.
    package func print(_ output: some OutputOptions) {
        var lines = lines(output)
        if output.json {
            // If it cannot be written, the exit status stays that of the failure.
            do throws(CommandFailure) { return try StandardOutput.write(lines) } catch {
                lines = ["\(output.program): \(visible(message))"]
            }
        }
        let display = Display(STDERR_FILENO, output.color), name = output.program + ":"
        lines =
            Display.wrapped(lines[0], columns: display.columns)
            + lines.dropFirst().flatMap { $0.split(separator: "\n").map(String.init) }.flatMap {
                Display.hint($0, columns: display.columns)
            }
        lines[0] = display.painted(name, .red) + lines[0].dropFirst(name.count)
        StandardError.write(lines)
    }
}
