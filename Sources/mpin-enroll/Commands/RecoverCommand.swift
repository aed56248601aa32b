import ArgumentParser

/// `recover`: replaces a registration that is blocked, revoked or expired.
struct RecoverCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Replace a blocked, revoked or expired registration by a new one, or take up one that was unblocked.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var code: CodeOptions
    @OptionGroup var key: KeyOptions

    @Option(
        help: ArgumentHelp(
            "A file with the old PIN, for a registration that the administrator has unblocked, or - for standard "
                + "input. With a code it is the new PIN.", valueName: "file"), completion: .file())
    var pinFile: String?

    @Option(
        help: ArgumentHelp(
            "A file with the new PIN of a new registration, or - for standard input.", valueName: "file"),
        completion: .file())
    var newPinFile: String?

    @Option(help: ArgumentHelp("How the server lists this machine. Default: as before.", valueName: "name"))
    var device: String?

    @Flag(help: "Give up a recovery that was begun and not finished, and begin anew.")
    var startOver = false

    func validate() throws {
        let files = [pinFile, newPinFile, code.codeFile].filter { $0 == "-" }
        guard files.count < 2 else { throw ValidationError("Only one of the files can be standard input.") }
    }

    func work() throws(CommandFailure) -> CommandOutcome {
        try RecoveryFlow(
            chosen: TargetAccount(common).demanding(key), code: code.source(common, for: "recover"),
            oldPIN: PINSource(file: pinFile, mayAsk: common.mayAsk),
            newPIN: PINSource(file: newPinFile, flag: "--new-pin-file", mayAsk: common.mayAsk), device: device,
            startsOver: startOver
        ).run()
    }
}
