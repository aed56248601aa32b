// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console

/// `recover`: replaces a registration that is blocked, revoked or expired.
struct RecoverCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Replace a blocked, revoked or out-of-date enrollment.",
        discussion: """
            If the administrator has unblocked the enrollment, the old PIN is enough.

            Example: sudo mpin-enroll recover
            """)

    @OptionGroup(title: HelpText.common) var common: CommonOptions
    @OptionGroup var code: CodeOptions
    @OptionGroup var key: KeyOptions

    @Option(
        help: .value("file", "Read a PIN from a file: the old one if blocked and without a code, else the new one."),
        completion: .file())
    var pinFile: String?

    @Option(help: .value("file", "Read the new PIN from a file (- for standard input)."), completion: .file())
    var newPinFile: String?

    @Option(help: .value("name", "Use this device name (default: the old one)."))
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
