// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CMPinSystem
import Console
import Glibc
import MPin
import MPinWire
import QRCodes

/// `invite`: creates a code that enrolls another device of the user.
struct OwnInviteCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Create a code to enroll another of your devices.")

    @OptionGroup(title: HelpText.common) var common: CommonOptions
    @OptionGroup var pin: PINOptions

    @Option(help: .value("seconds", "Expire the code after 60-3600 seconds (default 900)."))
    var ttl: Int?

    func validate() throws {
        if let ttl, !(60...3600 ~= ttl) { throw ValidationError("--ttl must be 60 to 3600 seconds.") }
    }

    var order: AgentOrder {
        var order = AgentOrder(
            command: MPIN_AGENT_INVITE, value: ttl.map { String($0) } ?? "", pins: AgentPINs(source))
        guard !common.json else { return order }
        order.presentation = { lines, common throws(CommandFailure) in
            lines.first.map(OwnInviteCommand.showPicture)
            try Report(lines, [:]).print(common, isAnswer: true)
        }
        return order
    }

    /// Shows the code as a QR code on standard error, because standard output contains only the code.
    private static func showPicture(of code: String) {
        if let picture = QRCode(code)?.text(on: Display(STDERR_FILENO)) { Terminal.show(picture + "\n") }
    }

    private var source: PINSource { pin.source(common, for: "invite") }

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        var client = try target.open()
        let user = try target.begin(&client, needing: .owner, "invitations by users")
        let entry = try target.currentPIN(client, of: user, source)
        let invitation = try target.prove(&client, as: user, entry) { client, pending, pin throws(MPinError) in
            try client.invite(seconds: ttl, by: pending, pin: pin)
        }
        var members = target.description(of: user)
        members["code"] = .text(invitation.code)
        members["expires"] = .text(invitation.expires)
        if !common.json {
            OwnInviteCommand.showPicture(of: invitation.code)
            let isLocal = user.backend.hasPrefix("unix:")
            let there =
                "sudo mpin-enroll register --identity \(CommonOptions.quoted(user.identity)) --server "
                + (isLocal ? "https://HOST" : CommonOptions.quoted(user.backend))
            let notes = [
                "The code enrolls one more device of \(user.identity), once, until \(invitation.expires).",
                isLocal ? "Another machine can use it only if this server also has an https address." : nil,
                "Run on that device: \(there)",
                "Keep the code secret: it lets its holder log in as \(user.identity).",
            ].compactMap { $0 }
            let more = TargetAccount.warnings(user) + target.revokeReplaced(&client, by: user, entry)
            for line in notes + more { Terminal.say(line) }
        }
        return CommandOutcome(report: Report([invitation.code], members), isAnswer: true)
    }
}
