import ArgumentParser
import CMPinSystem
import MPin

/// `invite`: makes a code with which the user sets up another device.
struct OwnInviteCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Make a code for another device of one's own; a wrong PIN counts.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var pin: PINOptions

    @Option(help: ArgumentHelp("How long the code is good, 60 to 3600. Default: 900.", valueName: "seconds"))
    var ttl: Int?

    func validate() throws {
        if let ttl, !(60...3600 ~= ttl) { throw ValidationError("--ttl is 60 to 3600 seconds.") }
    }

    var order: AgentOrder {
        AgentOrder(command: MPIN_AGENT_INVITE, value: ttl.map { String($0) } ?? "", pins: AgentPINs(source))
    }

    private var source: PINSource { pin.source(common, for: "invite") }

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        var client = try target.open()
        let user = try target.begin(&client, needing: "owner", "invitations that users make themselves")
        let entry = try target.currentPIN(client, of: user, source)
        let invitation = try target.prove(&client, as: user, entry) { client, pending, pin throws(MPinError) in
            try client.invite(seconds: ttl, by: pending, pin: pin)
        }
        var members = target.description(of: user)
        members["code"] = .text(invitation.code)
        members["expires"] = .text(invitation.expires)
        // Standard output holds the code alone.
        if !common.json {
            if let picture = TerminalPicture.text(of: invitation.code) { Terminal.say(picture) }
            let isLocal = user.backend.hasPrefix("unix:")
            let there =
                "sudo mpin-enroll register --identity \(CommonOptions.quoted(user.identity))"
                + (isLocal ? "" : " --server \(CommonOptions.quoted(user.backend))")
            let notes = [
                "For one more device of \(user.identity), once, until \(invitation.expires). There: \(there). "
                    + "Whoever has the code can be \(user.identity).",
                isLocal
                    ? "The server is reached on this machine alone; from another it needs an address with https." : nil,
            ].compactMap { $0 }
            let more = TargetAccount.warnings(user) + target.revokeReplaced(&client, by: user, entry)
            for line in notes + more { Terminal.say(visible(line)) }
        }
        return CommandOutcome(report: Report([invitation.code], members), isAnswer: true)
    }
}
