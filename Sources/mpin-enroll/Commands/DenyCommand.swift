// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CMPinSystem
import Console
import MPin
import MPinWire

/// `deny`: rejects a waiting session, without a login.
struct DenyCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "deny",
        abstract: "Reject a sign-in request. Needs its access number, but no PIN.")

    @OptionGroup(title: HelpText.common) var common: CommonOptions

    @Argument(help: "Access number, with or without spaces, or the address in the QR code.")
    var number: [String]

    var order: AgentOrder { AgentOrder(command: MPIN_AGENT_DENY, value: number.joined(separator: " ")) }

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        var client = try target.open()
        let user = try target.existing(in: client)
        guard let code = AccessCode(number.joined(separator: " ")) else { throw ApproveCommand.malformed }
        let isDenied: Bool
        do throws(MPinError) {
            try client.setBackend(of: user)
            if !client.offers(.deny) { try client.setBackend(user.backend) }
            // A missing extension is reported before a malformed number.
            if case .number(let number) = code, client.offers(.deny) { try client.checkAccessNumber(number) }
            isDenied = try client.deny(code.text)
        } catch {
            guard error.code == .flowError else { throw CommandFailure(error, at: user.backend) }
            throw CommandFailure(
                .protocolFault, "NOT_OFFERED", "\(user.backend) does not support rejecting sign-in requests.",
                advice: Advice("The number expires on its own."))
        }
        guard isDenied else { throw ApproveCommand.unknown(user) }
        return CommandOutcome(
            report: Report(
                ["The sign-in request is rejected. The server notifies its sender."],
                ["server": .text(user.backend), "denied": .flag(true)]))
    }
}
