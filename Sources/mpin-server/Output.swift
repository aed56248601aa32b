// SPDX-License-Identifier: Apache-2.0
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

    /// Whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The width of the terminal; without a terminal, no limit.
    static var columns: Int {
        var size = winsize()
        guard isTerminal, unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return .max
        }
        return Int(size.ws_col)
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
            var error: [String: Any] = ["code": fault.code, "message": fault.message]
            if !hint.isEmpty { error["hint"] = hint }
            // A failed write does not change the exit status.
            _ = Self.write(Self.text(of: ["schema": Self.schema, "ok": false, "error": error]), to: STDOUT_FILENO)
        } else {
            Self.warn("\(fault.message)\(hint.isEmpty ? "" : "\n" + hint)")
        }
        exit(exitCode ?? fault.exitCode)
    }

    private static func way(on fault: ServerError, _ line: (String) -> String) -> String {
        if let next = fault.next { return (fault.hint.isEmpty ? "" : fault.hint + "\n") + "Run: " + line(next) }
        let preparation = fault.preparation.map { $0 + " && " } ?? ""
        guard let account = fault.account else {
            return preparation.isEmpty ? fault.hint : "\(fault.hint) Run: \(fault.preparation ?? "")"
        }
        return "Run: " + preparation + CommandLineText.again(as: account)
    }

    /// The message if a command succeeded but its output cannot be written.
    static let afterwards =
        "The command succeeded. If it created a code or secret, that is lost: create another one."

    /// Writes to standard output. If that fails, ends the process with the exit status for it.
    ///
    /// - Parameter consequence: the sentence that tells the user what a failed write means.
    static func print(_ text: String, otherwise consequence: String = Output.afterwards) {
        guard let reason = write(text, to: STDOUT_FILENO) else { return }
        warn("cannot write to standard output: \(reason)\n\(consequence)")
        exit(ServerError(.storage, "").exitCode)
    }

    /// Prints one line of ArgumentParser's on standard error, without control characters.
    static func complain(_ line: String) {
        let shown = line.unicodeScalars.filter { $0.properties.generalCategory != .control }
        _ = write(String(String.UnicodeScalarView(shown)), to: STDERR_FILENO)
    }

    /// How a command shows the recovery key of a key that it makes: as text before it changes anything, or in the JSON
    /// object at its end.
    ///
    /// - Throws: ``ServerError`` if standard output cannot be written.
    func recoveryKeyDisplay() throws(ServerError) -> RecoveryKeyDisplay {
        guard json else {
            return .before { recovery throws(ServerError) in
                guard let text = RecoveryKeyText(recovery) else { return }
                try Self.write(before: text.linesBefore.joined(separator: "\n") + "\n")
            }
        }
        // JSON allows white space before the object.
        try Self.write(before: " ")
        return .withAnswer
    }

    /// Checks that standard output can be written, before the command changes anything.
    ///
    /// - Parameter heading: the first line of the text output.
    /// - Throws: ``ServerError`` if it cannot be written.
    func begin(_ heading: String) throws(ServerError) {
        // JSON allows white space before the object.
        guard let reason = Self.write(whole: json ? " " : heading + "\n", to: STDOUT_FILENO) else { return }
        throw ServerError(
            .storage, "cannot write to standard output: \(reason)",
            hint: "Nothing was changed. Run the command again where its output can be read.")
    }

    /// Writes text that must be visible before the command changes anything.
    private static func write(before text: String) throws(ServerError) {
        guard let reason = write(whole: text, to: STDOUT_FILENO) else { return }
        throw ServerError(
            .storage, "cannot show the recovery key: cannot write to standard output: \(reason)",
            hint: "Nothing was changed. Run the command again where its output can be read.")
    }

    /// Prints a message on standard error.
    static func warn(_ text: String) {
        _ = write("mpin-server: \(text)", to: STDERR_FILENO)
    }

    /// - Returns: the reason for a failed write; nil on success.
    private static func write(_ text: String, to descriptor: Int32) -> String? {
        write(whole: text + "\n", to: descriptor)
    }

    private static func write(whole text: String, to descriptor: Int32) -> String? {
        SystemFile.write(text.utf8.span, to: descriptor)?.text
    }

    /// A JSON object on one line.
    static func text(of object: [String: Any]) -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? JSONSerialization.data(withJSONObject: object, options: options) else {
            warn("cannot encode the output as JSON")
            exit(70)
        }
        return String(decoding: data, as: UTF8.self)
    }
}
