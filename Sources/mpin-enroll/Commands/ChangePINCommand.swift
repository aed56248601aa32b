// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinAgent

/// `change-pin`: changes the PIN. The old one remains valid until a login with the new one has succeeded.
struct ChangePINCommand: AgentCommand {
    static let configuration = CommandConfiguration(commandName: "change-pin", abstract: "Choose a new PIN.")

    @OptionGroup var old: PINOptions

    @Option(help: .value("file", "Read the new PIN from a file (- for standard input)."), completion: .file())
    var newPinFile: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard old.pinFile != "-" || newPinFile != "-" else {
            throw ValidationError("Only one of the PINs can come from standard input.")
        }
    }

    private var newSource: PINSource {
        var source = PINSource(file: newPinFile, flag: "--new-pin-file", mayAsk: common.mayAsk)
        source.afterCanceling = Advice("The old PIN remains valid. Try again", "change-pin")
        return source
    }

    func work() throws(CommandFailure) -> Report {
        let target = try TargetAccount(common)
        let dialog = PINDialog(old.source(common, for: "change-pin"), new: newSource, beginning: "Old ")
        var answer: LoginAnswer
        do throws(CommandFailure) {
            answer = try LoginAnswer(target.perform(AccountAction(.changePIN), common, dialog))
        } catch {
            // Whether a lost answer accepted the new PIN does not matter: only a login that succeeds stores its token.
            guard error.exitStatus == .unavailable || error.exitStatus == .protocolFault, error.code != "AGENT_ERROR"
            else { throw error }
            throw error.adding("The old PIN remains valid.")
        }
        // Before the old PIN was proved: the login with the new one has reset the count.
        let wrong = answer.values.optionalNumber()
        try answer.require()
        let user = answer.registration
        return Report(
            ["\(user.identity) has a new PIN, and has logged in with it."] + TargetAccount.warnings(wrong)
                + answer.replacedLines, target.description(of: user))
    }
}
