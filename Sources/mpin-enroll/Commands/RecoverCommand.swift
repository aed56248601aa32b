// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `recover`: replaces a registration that is blocked, revoked or expired.
struct RecoverCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Replace a blocked, revoked or expired enrollment.",
        discussion: "If the administrator has unblocked the enrollment, the old PIN is enough.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var code: CodeOptions
    @OptionGroup var key: KeyOptions

    @Option(
        help: ArgumentHelp(
            "Read the old PIN from a file. With a code, the new PIN.", valueName: "file"), completion: .file())
    var pinFile: String?

    @Option(
        help: ArgumentHelp(
            "Read the new PIN from a file (- for standard input).", valueName: "file"),
        completion: .file())
    var newPinFile: String?

    @Option(help: ArgumentHelp("Use this device name (default: the old one).", valueName: "name"))
    var device: String?

    @Flag(help: "Discard an unfinished recovery and start again.")
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
