// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPinCrypto
import SystemFiles

/// The source of an invitation code: the command line, a file, standard input, or the terminal.
struct CodeSource {
    private let code: String?
    /// A path, or `-` for standard input.
    private let file: String?
    private let mayAsk: Bool
    /// Whether the user was already asked and has no code.
    private var isAsked = false
    /// Whether ``code`` was typed at the prompt.
    private var isTyped = false
    /// The command in the hint after canceling.
    private let command: String

    /// A source for a user who answered that there is no code.
    static var none: CodeSource {
        var source = CodeSource(mayAsk: true)
        source.isAsked = true
        return source
    }

    /// A code that the user typed.
    static func typed(_ code: String, command: String) -> CodeSource {
        var source = CodeSource(code: code, mayAsk: true, command: command)
        source.isTyped = true
        return source
    }

    init(code: String? = nil, file: String? = nil, mayAsk: Bool, command: String = "register") {
        (self.code, self.file, self.mayAsk, self.command) = (code, file, mayAsk, command)
    }

    /// The code given by the command line; `nil` without one.
    func given() throws(CommandFailure) -> String? {
        if let code { return try CodeSource.checked(code) }
        if let file { return try CodeSource.checked(CodeSource.read(file)) }
        return nil
    }

    /// The code for an identity, from the command line or the terminal; `nil` for no code.
    func value(for identity: String) throws(CommandFailure) -> String? {
        if let given = try given() { return given }
        guard !isAsked, mayAsk, let terminal = Terminal() else { return nil }
        while true {
            guard let answer = terminal.ask("Invitation or backup code for \(identity) (press Enter for none): ") else {
                throw CommandFailure.canceled(Advice("Nothing was changed. Start again", command))
            }
            let isEmpty = answer.allSatisfy(\.isWhitespace)
            do throws(CommandFailure) { return isEmpty ? nil : try CodeSource.checked(answer) } catch {
                Terminal.say(error.message)
            }
        }
    }

    /// A source that asks for another code after a typed one was refused; `nil` if the code was not typed.
    var another: CodeSource? {
        guard isTyped || (code == nil && file == nil && !isAsked), canAsk else { return nil }
        return CodeSource(mayAsk: true, command: command)
    }

    /// Whether the user can be asked on a terminal.
    var canAsk: Bool { mayAsk && Terminal() != nil }

    /// A code without white space. Servers use codes of many forms, but none is longer or has other characters.
    private static func checked(_ text: String) throws(CommandFailure) -> String {
        let code = text.filter { !$0.isWhitespace }
        guard 1...64 ~= code.utf8.count, code.utf8.allSatisfy({ 0x21...0x7e ~= $0 }), !EnrollmentCode.isMistyped(code)
        else { throw malformed }
        return code
    }

    /// Refuses a malformed code, for servers that announce the form of their codes.
    static func checkForm(_ code: String) throws(CommandFailure) {
        guard EnrollmentCode.symbols(code) == nil else { return }
        let symbols = code.utf8.filter { $0 != UInt8(ascii: "-") }
        let isMailCode = symbols.count == 6 && symbols.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard isMailCode else { throw malformed }
    }

    static var malformed: CommandFailure {
        CommandFailure(
            .badInput, "BAD_INPUT", "This is not a valid code.",
            advice: Advice(
                "Check for a mistyped character. Invitation or backup code: XXXX-XXXX-XXXX-XXXX. Mail code: six digits."
            ), .refusedCode)
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

/// The options for the invitation code.
struct CodeOptions: ParsableArguments {
    @Option(help: .value("code", "Use this code. 'ps' shows it to other users; --code-file does not."))
    var code: String?

    @Option(help: .value("file", "Read the code from a file (- for standard input)."), completion: .file())
    var codeFile: String?

    func validate() throws {
        guard code == nil || codeFile == nil else { throw ValidationError("Give --code or --code-file, not both.") }
    }

    func source(_ common: CommonOptions, for command: String) -> CodeSource {
        CodeSource(code: code, file: codeFile, mayAsk: common.mayAsk, command: command)
    }
}
