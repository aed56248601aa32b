// SPDX-License-Identifier: Apache-2.0
import Console
import Foundation
import MPinServer
import MPinServerStorage
import SystemFiles

/// The output of a command: text for people, or exactly one JSON object.
struct Output {
    /// The version of the JSON format.
    static let schema = 1

    let json: Bool
    /// A command line of this program for the same server.
    let line: (_ command: String) -> String

    /// - Parameter line: renders a follow-up command; by default without options, for callers that do not know them.
    init(json: Bool, line: @escaping (_ command: String) -> String = { "mpin-server " + $0 }) {
        (self.json, self.line) = (json, line)
    }

    /// Writes a table as the answer.
    func succeed(_ table: Table, _ members: [String: Any]) {
        succeed(table.lines(on: .output).joined(separator: "\n"), members)
    }

    /// Writes the answer.
    func succeed(_ text: String, _ members: [String: Any]) {
        guard json else {
            if !text.isEmpty { Self.print(text) }
            return
        }
        var object = members
        object["schema"] = Self.schema
        object["ok"] = true
        Self.print(Self.text(of: object))
    }

    /// Prints the error and ends the process.
    func fail(_ fault: ServerError, exitCode: Int32? = nil) -> Never {
        let hint = Self.way(on: fault, line)
        if json {
            var error: [String: Any] = ["code": fault.kind.rawValue, "message": fault.message]
            if !hint.isEmpty { error["hint"] = hint }
            // A failed write does not change the exit status.
            _ = Self.write(Self.text(of: ["schema": Self.schema, "ok": false, "error": error]) + "\n")
        } else {
            Self.warn("\(fault.message)\(hint.isEmpty ? "" : "\n" + hint)")
        }
        exit(exitCode ?? fault.exitStatus.rawValue)
    }

    private static func way(on fault: ServerError, _ line: (String) -> String) -> String {
        if let next = fault.next { return (fault.hint.isEmpty ? "" : fault.hint + "\n") + "Run: " + line(next) }
        return fault.account == nil ? fault.hint : "Run: " + CommandLineText.againAsRoot
    }

    /// Asks a question on the terminal.
    ///
    /// - Returns: the answer; nil if there is no terminal, or with JSON output.
    func ask(_ question: String) -> String? {
        guard !json, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
        Swift.print(question, terminator: "")
        fflush(nil)
        return readLine() ?? ""
    }

    /// The message if a command succeeded but its output cannot be written.
    static let afterwards = "The command succeeded. If it created a code or secret, that is lost: create another one."

    /// Writes to standard output. If that fails, ends the process with the exit status for it.
    ///
    /// - Parameter consequence: the sentence that tells the user what a failed write means.
    static func print(_ text: String, otherwise consequence: String = Output.afterwards) {
        guard let reason = write(text + "\n") else { return }
        warn("cannot write to standard output: \(reason)\n\(consequence)")
        exit(ExitStatus.storage.rawValue)
    }

    /// Writes a line of output that continues until the reader stops. If the reader is gone, the process exits with 0.
    static func stream(_ line: String) {
        guard let error = SystemFile.write((line + "\n").utf8.span, to: STDOUT_FILENO) else { return }
        if error.number == EPIPE { exit(0) }
        warn("cannot write to standard output: \(error.text)")
        exit(ExitStatus.storage.rawValue)
    }

    /// Waits before the next part of such output.
    ///
    /// - Returns: false if the reader of standard output is gone.
    static func readerRemains(after milliseconds: Int32) -> Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return unsafe poll(&output, 1, milliseconds) <= 0
    }

    /// How a command shows the recovery key of a key that it makes: as text before it changes anything, or in the JSON
    /// object at its end.
    ///
    /// - Throws: ``ServerError`` if standard output cannot be written.
    func recoveryKeyDisplay() throws(ServerError) -> RecoveryKeyDisplay {
        guard json else {
            return .before { recovery throws(ServerError) in
                guard let text = RecoveryKeyText(recovery) else { return }
                try Self.write(before: text.linesBefore.joined(separator: "\n") + "\n", Self.showing)
            }
        }
        // JSON allows white space before the object.
        try Self.write(before: " ", Self.showing)
        return .withAnswer
    }

    private static let showing = "cannot show the recovery key: "

    /// Checks that standard output can be written, before the command changes anything.
    ///
    /// - Parameter heading: the first line of the text output.
    /// - Throws: ``ServerError`` if it cannot be written.
    func begin(_ heading: String) throws(ServerError) {
        // JSON allows white space before the object.
        try Self.write(before: json ? " " : heading + "\n")
    }

    /// Writes text that must be visible before the command changes anything.
    ///
    /// - Parameter purpose: the start of the error message if it cannot be written.
    private static func write(before text: String, _ purpose: String = "") throws(ServerError) {
        guard let reason = write(text) else { return }
        throw ServerError(
            .storage, "\(purpose)cannot write to standard output: \(reason)",
            hint: "Nothing was changed. Run the command again where its output can be read.")
    }

    /// Prints a message on standard error.
    static func warn(_ text: String) { show("mpin-server: \(text)") }

    /// Prints lines on standard error, without control characters: a file or a pasted argument must not send escape
    /// sequences to the terminal.
    static func show(_ text: String) { _ = SystemFile.write((visibleLines(text) + "\n").utf8.span, to: STDERR_FILENO) }

    /// - Returns: the reason for a failed write; nil on success.
    private static func write(_ text: String) -> String? { SystemFile.write(text.utf8.span, to: STDOUT_FILENO)?.text }

    /// A JSON object on one line.
    static func text(of object: [String: Any]) -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? JSONSerialization.data(withJSONObject: object, options: options) else {
            warn("cannot encode the output as JSON")
            exit(ExitStatus.internalFault.rawValue)
        }
        return String(decoding: data, as: UTF8.self)
    }
}
