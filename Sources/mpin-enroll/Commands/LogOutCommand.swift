import ArgumentParser
import CMPinSystem
import MPin

/// `logout`: ends sessions that were signed in from a device, by a login that says so.
struct LogOutCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Sign out the session that was approved last from here; a wrong PIN counts.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var pin: PINOptions

    @Flag(help: "Sign out all sessions in browsers, whichever device has approved them.")
    var all = false

    var order: AgentOrder {
        AgentOrder(command: MPIN_AGENT_SIGN_OUT, options: all ? MPIN_AGENT_ALL : 0, pins: AgentPINs(source))
    }

    private var source: PINSource { pin.source(common, for: "logout") }

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        var client = try target.open()
        let user = try target.begin(
            &client, needing: "owner", "sessions that can be ended from here",
            Advice(
                "Sign out where the session is shown. To approve one and sign it out from here",
                "approve NUMBER --then-log-out"))
        let entry = try target.currentPIN(client, of: user, source)
        let count = try target.prove(&client, as: user, entry) { client, pending, pin throws(MPinError) in
            try client.signOut(all: all, by: pending, pin: pin)
        }
        var members = target.description(of: user)
        members["loggedOut"] = .number(count)
        let line =
            switch count {
            case 0: "There was no session to sign out."
            case 1: "One session is signed out."
            default: "\(count) sessions are signed out."
            }
        return CommandOutcome(
            report: Report(
                [line] + TargetAccount.warnings(user) + target.revokeReplaced(&client, by: user, entry), members))
    }
}
