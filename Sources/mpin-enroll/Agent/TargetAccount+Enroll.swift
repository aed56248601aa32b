// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinAgent

extension TargetAccount {
    /// Has the agent enroll or recover the account with an enrollment code.
    ///
    /// - Parameters:
    ///   - isPlain: whether no option demands more than the agent does.
    ///   - failure: why this process cannot do it itself.
    func enrollThroughAgent(
        _ action: AccountAction, _ common: CommonOptions, _ code: CodeSource, _ pin: PINSource, isPlain: Bool,
        _ failure: CommandFailure
    ) throws(CommandFailure) -> LoginAnswer {
        let dialog = PINDialog(new: pin, code: code)
        while true {
            guard isPlain, !demandsTPM, !code.isOfApplication, let agent = AgentCall(self, common) else {
                throw failure
            }
            try dialog.prepare()
            do throws(CommandFailure) { return try LoginAnswer(agent.perform(action, self, dialog)) } catch {
                guard case .refusedCode = error.circumstance, let other = dialog.code?.another else { throw error }
                Terminal.say("mpin-enroll: " + visible(error.message))
                dialog.code = other
            }
        }
    }
}
