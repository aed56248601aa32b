// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinAgent

struct LoginAnswer {
    let registration: RegistrationSummary
    private let replaced: ReplacedRegistrations
    var values: ActionFields

    init(_ fields: ActionFields) throws(CommandFailure) {
        values = fields
        guard let registration = RegistrationSummary(&values),
            let replaced = ReplacedRegistrations(rawValue: values.number())
        else { throw AgentCall.senseless }
        (self.registration, self.replaced) = (registration, replaced)
    }

    /// Fails if the values that were read are not those that were sent.
    func require() throws(CommandFailure) { guard values.isWhole else { throw AgentCall.senseless } }

    /// The lines about wrong PINs and replaced registrations.
    var lines: [String] { TargetAccount.warnings(registration) + replacedLines }

    /// What the server did with the registrations that this one has replaced.
    var replacedLines: [String] {
        switch replaced {
        case .none: []
        case .unknown: ["\(registration.backend) does not know the replaced enrollment."]
        case .revoked: ["\(registration.backend) has now revoked the replaced enrollment."]
        case .left: TargetAccount.unrevoked(registration)
        }
    }
}

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
                guard case .refusedCode? = error.circumstance as? Circumstance, let other = dialog.code?.another else {
                    throw error
                }
                Terminal.say("mpin-enroll: " + visible(error.message))
                dialog.code = other
            }
        }
    }
}
