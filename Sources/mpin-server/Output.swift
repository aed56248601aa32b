// SPDX-License-Identifier: Apache-2.0
import Console
import Foundation
import MPinServer
import MPinServerStorage
import ShellSyntax
import SystemFiles

/// The output of a command: text for people, or exactly one JSON object.
struct Output: OutputOptions {
    static let program = "mpin-server"

    let json: Bool
    var directory = ServerDirectory.installed
    var config: String?

    var program: String { Self.program }

    func line(_ command: String, for advice: Advice) -> String { line(command) }

    /// A command line of this program for the same server, which works when the user types it in the same shell.
    ///
    /// - Parameter file: a file name, placed where the parser does not take it for an option.
    func line(_ command: String, file: String? = nil) -> String {
        // The shell of a user who called sudo runs it again with sudo.
        var words = ProcessInfo.processInfo.environment["SUDO_USER"] == nil ? [] : ["sudo"]
        words += [program, command]
        let isLast = file?.hasPrefix("-") == true, name = file.map(ShellWord.quoted).map { [$0] } ?? []
        if !isLast { words += name }
        if directory != ServerDirectory.installed { words += ["--dir", ShellWord.quoted(directory)] }
        if let config { words += ["--config", ShellWord.quoted(config)] }
        return (isLast ? words + ["--"] + name : words).joined(separator: " ")
    }

    func succeed(_ table: Table, _ members: Members) throws(CommandFailure) {
        try Report(table, members).print(self)
    }

    func succeed(_ text: String, _ members: Members) throws(CommandFailure) {
        try Report(styled: text, members).print(self)
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

    /// Writes to standard output. If that fails, ends the process.
    ///
    /// - Parameter consequence: the sentence that tells the user what a failed write means.
    static func print(_ text: String, otherwise consequence: String = "") {
        do throws(ServerError) { try write(text + "\n", hint: consequence) } catch {
            MPinServerCommand.end(error, Output(json: false))
        }
    }

    /// Writes a line of output that continues until the reader stops. If the reader is gone, the process exits with 0.
    static func stream(_ line: String) {
        guard let error = SystemFile.write((line + "\n").utf8.span, to: STDOUT_FILENO) else { return }
        if error.number == EPIPE { exit(0) }
        MPinServerCommand.end(
            ServerError(.storage, "cannot write to standard output: \(error.text)"), Output(json: false))
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
    func recoveryKeyDisplay() throws(ServerError) -> RecoveryKeyDisplay? {
        guard json else {
            return { recovery throws(ServerError) in
                guard let text = RecoveryKeyText(recovery) else { return }
                try Self.write(text.linesBefore.joined(separator: "\n") + "\n", Self.showing)
            }
        }
        // JSON allows white space before the object.
        try Self.write(" ", Self.showing)
        return nil
    }

    private static let showing = "cannot show the recovery key: "

    /// Checks that standard output can be written, before the command changes anything.
    func begin(_ heading: String) throws(ServerError) {
        // JSON allows white space before the object.
        try Self.write(json ? " " : heading + "\n")
    }

    /// Writes text that must be visible before the command changes anything.
    ///
    /// - Parameter purpose: the start of the error message if it cannot be written.
    private static func write(
        _ text: String, _ purpose: String = "",
        hint: String = "Nothing was changed. Run the command again where its output can be read."
    ) throws(ServerError) {
        guard let error = SystemFile.write(text.utf8.span, to: STDOUT_FILENO) else { return }
        throw ServerError(.storage, "\(purpose)cannot write to standard output: \(error.text)", hint: hint)
    }

    static func warn(_ text: String) { StandardError.write(["\(program): \(visibleLines(text))"]) }
}

extension String {
    /// The text, wrapped between words to the width of the terminal. Continuation lines keep the indentation of their
    /// line. Commands stay whole, so that they can be copied, and so do words longer than a line.
    func wrapped(_ columns: Int) -> String {
        guard columns < .max else { return self }
        return split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            let indentation = line.prefix { $0 == " " }.count
            let text = line.dropFirst(indentation)
            guard line.count > columns, !text.hasPrefix("mpin-server "), !text.hasPrefix("sudo ") else {
                return [String(line)]
            }
            return Display.wrapped(text, columns: columns, indentation: indentation)
        }.joined(separator: "\n")
    }
}

extension ServerRole {
    /// The command that serves a directory of this role. The installed server has its addresses in its configuration.
    func serve(_ directory: String) -> String {
        guard self != .authority else {
            return "serve --listen ADDRESS --tls-cert FILE --tls-key FILE"
        }
        return directory == ServerDirectory.installed ? "serve" : "serve --listen unix:/run/mpin/server.sock"
    }

    /// What an attacker with the database and its key can do.
    var danger: String { self == .combined ? "can make a token for any user" : "has one of the two master shares" }

    /// A reminder of the other host, for a command that copies or changes the key; empty if there is only one host.
    var otherHost: [String] {
        switch self {
        case .combined: []
        case .relyingParty:
            [
                "This host has one of the two master shares. The second authority's host has the other one,",
                "with its own key and backups. Run this command there too.",
            ]
        case .authority:
            [
                "This host has only the second authority's master share. The relying party's host has the users",
                "and the other share, with its own key and backups. Run this command there too.",
            ]
        }
    }
}
