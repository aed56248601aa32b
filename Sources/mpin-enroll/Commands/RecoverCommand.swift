// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinAgent

struct RecoverCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover", abstract: "Replace a blocked, revoked or out-of-date enrollment.",
        discussion: "If the administrator has unblocked the enrollment, the old PIN is enough.")

    @OptionGroup var code: CodeOptions
    @OptionGroup var key: KeyOptions

    @Option(
        help: .value("file", "Read a PIN from a file: the old one if blocked and without a code, else the new one."),
        completion: .file()) var pinFile: String?

    @Option(help: .value("file", "Read the new PIN from a file (- for standard input)."), completion: .file())
    var newPinFile: String?

    @Option(help: .value("name", "Use this device name (default: the old one).")) var device: String?

    @Flag(help: "Discard an unfinished recovery and start again.") var startOver = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        let files = [pinFile, newPinFile, code.codeFile].filter { $0 == "-" }
        guard files.count < 2 else { throw ValidationError("Only one of the files can be standard input.") }
    }

    func work() throws(CommandFailure) -> Report {
        let chosen = try TargetAccount(common).demanding(key)
        var code = code.source(common, for: "recover")
        code.server = chosen.normalServer
        let newPIN = PINSource(file: newPinFile, flag: "--new-pin-file", mayAsk: common.mayAsk)
        do throws(CommandFailure) {
            return try RecoveryFlow(
                chosen: chosen, code: code, oldPIN: PINSource(file: pinFile, mayAsk: common.mayAsk), newPIN: newPIN,
                device: device, startsOver: startOver
            ).run()
        } catch {
            guard case .closedStore? = error.circumstance as? Circumstance else { throw error }
            let pin = newPinFile == nil && pinFile != nil ? PINSource(file: pinFile, mayAsk: common.mayAsk) : newPIN
            var answer = try chosen.enrollThroughAgent(
                AccountAction(.enroll, "recover", device ?? ""), common, code, pin, isPlain: true, error)
            let isRevoked = answer.values.flag()
            try answer.require()
            return RecoveryFlow.outcome(answer.registration, chosen, isRevoked, answer.replacedLines)
        }
    }
}
