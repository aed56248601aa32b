// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPin
import SystemFiles

/// The source of a code: the command line, a file, standard input, or the terminal.
///
/// The user decides which kind the code is, never the server: a text that looks like no invitation or backup code may be
/// a PIN, and is not sent unless `--application-code` says what it is.
struct CodeSource {
    private let code: String?
    /// A path, or `-` for standard input.
    private let file: String?
    private let mayAsk: Bool
    /// Whether the code is one of the application behind the server, or a mailed one: it is sent as it is.
    let isOfApplication: Bool
    /// Whether the user was already asked and has no code.
    private var isAsked = false
    private var typedCode: RegistrationCode?
    /// The code that the command line has given, once it was read.
    private var readCode: RegistrationCode?
    /// The server that an invitation must be for; nil for any.
    var server: String?
    /// The command in the hint after canceling.
    private let command: String

    /// A source for a user who answered that there is no code.
    static var none: CodeSource {
        var source = CodeSource(mayAsk: true)
        source.isAsked = true
        return source
    }

    static func typed(_ code: RegistrationCode, like other: CodeSource) -> CodeSource {
        var source = other
        source.typedCode = code
        return source
    }

    init(
        code: String? = nil, file: String? = nil, isOfApplication: Bool = false, mayAsk: Bool,
        command: String = "register"
    ) {
        (self.code, self.file, self.isOfApplication) = (code, file, isOfApplication)
        (self.mayAsk, self.command) = (mayAsk, command)
    }

    /// The code given by the command line; `nil` without one.
    func given() throws(CommandFailure) -> RegistrationCode? {
        if let known = typedCode ?? readCode { return known }
        if let code { return try checked(code) }
        if let file { return try checked(CodeSource.read(file)) }
        return nil
    }

    /// The code for an identity, from the command line or the terminal; `nil` for no code.
    ///
    /// - Parameter isNeeded: whether the command cannot continue without a code.
    func value(for identity: String, isNeeded: Bool = false) throws(CommandFailure) -> RegistrationCode? {
        if let given = try given() { return given }
        guard !isAsked, mayAsk, let terminal = Terminal() else { return nil }
        let name = isOfApplication ? "Code" : "Invitation or backup code"
        let way = isNeeded ? "to cancel" : "for none"
        while true {
            guard let answer = terminal.ask("\(name) for \(identity) (press Enter \(way)): ") else {
                throw CommandFailure.canceled(Advice("Nothing was changed. Start again", command))
            }
            guard !answer.allSatisfy(\.isWhitespace) else { return nil }
            do throws(CommandFailure) { return try checked(answer) } catch { Terminal.say(error.message) }
        }
    }

    /// A source that asks for another code after a typed one was refused; `nil` if the code was not typed.
    var another: CodeSource? {
        guard typedCode != nil || (code == nil && file == nil && !isAsked), canAsk else { return nil }
        var another = CodeSource(isOfApplication: isOfApplication, mayAsk: true, command: command)
        another.server = server
        return another
    }

    var canAsk: Bool { mayAsk && Terminal() != nil }

    /// Reads the invitation that the command line has given, before the server is known.
    ///
    /// - Returns: nil without one.
    mutating func readInvitation() throws(CommandFailure) -> Invitation? {
        guard typedCode == nil, !isOfApplication else { return nil }
        var text = code
        if let file { text = try CodeSource.read(file) }
        guard let text else { return nil }
        let invitation = try Invitation(text)
        // Standard input can be read only once.
        readCode = invitation.code
        return invitation
    }

    private func checked(_ text: String) throws(CommandFailure) -> RegistrationCode {
        guard isOfApplication else {
            let invitation = try Invitation(text)
            try invitation.require(server)
            return invitation.code
        }
        guard !text.allSatisfy(\.isWhitespace), text.utf8.count <= 1024 else { throw CodeSource.malformed }
        return .application(text)
    }

    static var malformed: CommandFailure {
        CommandFailure(
            .badInput, "BAD_INPUT", "This is not a valid code. Nothing was sent.",
            advice: Advice(
                "Check for a mistyped character. A code has the form XXXX-XXXX-XXXX-XXXX. In an invitation, the server's "
                    + "address and '/' can precede it."
            ).adding("If it is from a mail or from an application, add --application-code."),
            circumstance: Circumstance.refusedCode)
    }

    private static func read(_ path: String) throws(CommandFailure) -> String {
        let file = try SystemFile.input(path, of: "code")
        let bytes = (try? file.read(upTo: 1024)) ?? []
        let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
        guard !line.allSatisfy(\.isWhitespace) else {
            throw CommandFailure(.badInput, "BAD_INPUT", "The code file \(path) contains no code.")
        }
        return String(line)
    }
}

struct CodeOptions: ParsableArguments {
    @Option(help: .value("code", "Use this code, which 'ps' shows to other users."))
    var code: String?

    @Option(help: .value("file", "Read the code from a file (- for standard input)."), completion: .file())
    var codeFile: String?

    @Flag(help: "Send the code of a mail or application unchanged.") var applicationCode = false

    func validate() throws {
        guard code == nil || codeFile == nil else { throw ValidationError("Give --code or --code-file, not both.") }
    }

    func source(_ common: CommonOptions, for command: String) -> CodeSource {
        CodeSource(
            code: code, file: codeFile, isOfApplication: applicationCode, mayAsk: common.mayAsk, command: command)
    }
}
