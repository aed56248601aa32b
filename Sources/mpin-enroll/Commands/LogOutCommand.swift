// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CMPinSystem
import Console
import MPin
import MPinWire

/// `logout`: logs in to end the sessions that were approved from this device, or from any.
struct LogOutCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Sign out the session that this device approved last.")

    @OptionGroup(title: HelpText.common) var common: CommonOptions
    @OptionGroup var pin: PINOptions

    @Flag(help: "Sign out the browser sessions of all your devices.")
    var all = false

    var order: AgentOrder {
        AgentOrder(command: MPIN_AGENT_SIGN_OUT, options: all ? MPIN_AGENT_ALL : 0, pins: AgentPINs(source))
    }

    private var source: PINSource { pin.source(common, for: "logout") }

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        var client = try target.open()
        let user = try target.begin(
            &client, needing: .owner, "signing out sessions from a device",
            Advice("Sign out in the session itself. Next time, approve with", "approve NUMBER --then-log-out"))
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
