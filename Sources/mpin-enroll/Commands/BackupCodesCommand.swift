import ArgumentParser
import Glibc
import MPin

/// `backup-codes`: makes codes with which the user recovers without an administrator.
struct BackupCodesCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup-codes",
        abstract: "Make codes with which 'recover' needs no administrator, in place of those of before.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var pin: PINOptions

    @Option(help: ArgumentHelp("How many, 1 to 20. Default: 10.", valueName: "number"))
    var count = 10

    @Option(
        help: ArgumentHelp(
            "A new file for the codes, made with mode 0600. Default: they are shown.", valueName: "file"),
        completion: .file())
    var codesFile: String?

    @Flag(help: "Do not ask whether the codes are written down.")
    var yes = false

    func validate() throws {
        guard 1...20 ~= count else { throw ValidationError("--count is 1 to 20.") }
    }

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        var client = try target.open()
        let user = try target.begin(&client, needing: "backupCodes", "backup codes")
        guard yes || codesFile != nil || common.mayAsk else {
            throw CommandFailure(
                .inputNeeded, "INPUT_NEEDED", "Somebody has to say that the codes are written down.",
                advice: Advice("Give --yes, or --codes-file FILE."))
        }
        let file: NewFile?
        if let codesFile { file = try NewFile(codesFile) } else { file = nil }
        let entry = try target.currentPIN(client, of: user, pin.source(common, for: "backup-codes"))
        let codes: BackupCodes
        do throws(CommandFailure) {
            codes = try target.prove(&client, as: user, entry) { client, pending, pin throws(MPinError) in
                try client.makeBackupCodes(count: count, pending, pin: pin)
            }
            if let file { try file.write(codes.codes) }
        } catch {
            file?.remove()
            throw error
        }
        if file == nil, !common.json {
            try StandardOutput.write(codes.codes)
            try confirm(user)
        }
        let good = try target.prove(&client, as: user, entry) { client, pending, pin throws(MPinError) in
            try client.confirm(codes, pending, pin: pin)
        }
        return outcome(user, codes, good, target, target.revokeReplaced(&client, by: user, entry))
    }

    private func outcome(
        _ user: User, _ codes: BackupCodes, _ good: Int, _ target: TargetAccount, _ notes: [String]
    ) -> CommandOutcome {
        var members = target.description(of: user)
        members["backupCodes"] = .number(good)
        if let codesFile { members["file"] = .text(codesFile) } else { members["codes"] = .texts(codes.codes) }
        let place = codesFile.map { " They are in \($0)." } ?? ""
        let lines =
            [
                "\(user.identity) has \(good) backup codes, each good for one 'recover'; those of before are good no more."
                    + place
            ] + TargetAccount.warnings(user) + notes
        guard !common.json else { return CommandOutcome(report: Report(lines, members)) }
        // Standard output holds the codes alone.
        for line in lines { Terminal.say(visible(line)) }
        return CommandOutcome(report: Report([], members))
    }

    /// Until the person says so, the codes of before stay good.
    private func confirm(_ user: User) throws(CommandFailure) {
        guard !yes else { return }
        let left = CommandFailure(
            .cancelled, "CANCELED", "The new codes are not good, and those of before are, as many as there were.",
            advice: Advice("Once more with", "backup-codes"))
        guard let terminal = Terminal() else { throw left }
        let answer = terminal.ask("Are they written down? [y/N] ")
        guard let answer, ["y", "yes"].contains(answer.lowercased()) else { throw left }
    }
}
