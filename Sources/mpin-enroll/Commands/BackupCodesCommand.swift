// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPinAgent
import SystemFiles

struct BackupCodesCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup-codes", abstract: "Create backup codes for 'recover'. Voids earlier ones.")

    @OptionGroup var pin: PINOptions

    @Option(help: .value("number", "Create this many codes (1-20).")) var count = 10

    @Option(help: .value("file", "Write the codes to a new file with mode 0600."), completion: .file())
    var codesFile: String?

    @Flag(help: "Do not ask whether you wrote the codes down.") var yes = false
    @OptionGroup var common: CommonOptions

    func validate() throws { guard 1...20 ~= count else { throw ValidationError("--count must be 1 to 20.") } }

    private static let confirmation = "Add --yes, or --codes-file FILE."

    /// The file for the codes, after checking that they can be delivered.
    private func place() throws(CommandFailure) -> NewFile? {
        guard yes || codesFile != nil || common.mayAsk && Terminal() != nil else {
            throw CommandFailure(
                .inputNeeded, "INPUT_NEEDED", "You have to confirm that you wrote the codes down.",
                advice: Advice(BackupCodesCommand.confirmation))
        }
        guard let codesFile else { return nil }
        return try NewFile(codesFile)
    }

    func work() throws(CommandFailure) -> Report {
        let target = try TargetAccount(common)
        // It keeps the PIN for the second login.
        let dialog = PINDialog(pin.source(common, for: "backup-codes"))
        var file: NewFile?
        dialog.beforePIN = { () throws(CommandFailure) in file = try place() }
        var made = try target.logIn("backup-codes", String(count), common, dialog)
        let (batch, codes) = (made.values.number(), made.values.items { $0.text() })
        try made.require()
        try show(codes, file)
        do throws(CommandFailure) {
            if file == nil, !common.json { try confirm() }
            var answer = try target.logIn("backup-codes confirm", String(batch), common, dialog)
            let valid = answer.values.number()
            try answer.require()
            return outcome(answer, valid, target)
        } catch { throw isBegun ? error.continued() : unconfirmed(error) }
    }

    /// Whether the object on standard output starts with the codes, before the outcome is known.
    private var isBegun: Bool { common.json && codesFile == nil }

    /// Delivers the codes. They become valid only afterwards: otherwise the user would lose the old codes without
    /// having the new ones.
    private func show(_ codes: [String], _ file: NewFile?) throws(CommandFailure) {
        if let file { return try file.write(codes) }
        let text = isBegun ? Report.beginning(["codes": codes]) : codes.map { $0 + "\n" }.joined()
        try deliver(text)
    }

    private func deliver(_ text: String) throws(CommandFailure) {
        if isBegun { ProgressNotice.begin(common, isContinued: true) }
        guard let reason = StandardOutput.deliver(text) else { return }
        throw CommandFailure(
            .storage, "OUTPUT_ERROR",
            "The codes could not be written to standard output: \(reason). They are not valid. Existing codes remain "
                + "valid.", advice: Advice("Try again", "backup-codes"))
    }

    /// Adds a warning about the file, which exists although its codes may not be valid.
    private func unconfirmed(_ failure: CommandFailure) -> CommandFailure {
        doubt.map { failure.adding($0) } ?? failure
    }

    private var doubt: String? {
        codesFile.map {
            "The codes in \($0) may not be valid. Check the number of valid codes with 'status', or create new ones."
        }
    }

    private func outcome(_ answer: LoginAnswer, _ good: Int, _ target: TargetAccount) -> Report {
        let user = answer.registration
        var members = target.description(of: user)
        members["backupCodes"] = good
        if let codesFile { members["file"] = codesFile }
        let place = codesFile.map { " in \($0)" } ?? ""
        let lines =
            [
                "\(user.identity) has \(good) backup codes\(place).",
                "Each works for one 'recover'. Earlier codes no longer work.",
            ] + answer.lines
        guard !common.json else {
            var report = Report(lines, members)
            report.isContinued = isBegun
            return report
        }
        // Standard output contains only the codes.
        for line in lines { Terminal.say(line) }
        return Report([], members)
    }

    /// Asks whether the codes are written down. Until then, the old codes remain valid.
    private func confirm() throws(CommandFailure) {
        guard !yes else { return }
        let left = CommandFailure(
            .canceled, "CANCELED", "The new codes are not valid. Existing codes remain valid.",
            advice: Advice("Try again", "backup-codes"))
        guard let terminal = Terminal(), terminal.confirms("Did you write the codes down? [y/N] ") else { throw left }
    }
}

/// A new file for secrets. Only its owner can read it, it never overwrites another file, and it appears under its name
/// when it is complete.
struct NewFile {
    private let path: String

    init(_ path: String) throws(CommandFailure) {
        self.path = path
        guard !FileFacts.isThere(path) else { throw NewFile.failure(path, SystemError(EEXIST)) }
        guard unsafe access(FileName.parent(of: path), W_OK | X_OK) == 0 else {
            throw NewFile.failure(path, SystemError())
        }
    }

    /// Writes the file with these lines to the disk.
    func write(_ lines: [String]) throws(CommandFailure) {
        let text = lines.map { $0 + "\n" }.joined()
        do throws(FileError) { try DurableFile.write(text.utf8.span, to: path, .new) } catch {
            if error.step == .create { throw NewFile.failure(path, error.cause) }
            throw CommandFailure(
                .storage, "STORAGE_ERROR",
                "\(path) could not be written: \(error.cause.text). Nothing was changed at the server.",
                advice: Advice("Use a file on another disk with --codes-file."))
        }
    }

    private static func failure(_ path: String, _ cause: SystemError) -> CommandFailure {
        CommandFailure(
            .badInput, "BAD_INPUT", "\(path) cannot be created: \(cause.text).",
            advice: Advice(
                cause.number == EEXIST ? "Use a file that does not exist yet." : "Use a file in another directory."))
    }
}
