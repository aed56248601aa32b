import ArgumentParser
import CMPinSystem
import MPin

/// `deny`: ends a session that waits for a login, without one.
struct DenyCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "deny",
        abstract: "Turn down a session that shows an access number; whoever has the number may, without a PIN.")

    @OptionGroup var common: CommonOptions

    @Argument(help: "The access number, in groups or not, or the scanned address with its # and code.")
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
            if !client.offers("deny") { try client.setBackend(user.backend) }
            // What the server does not have comes first.
            if case .number(let number) = code, client.offers("deny") { try client.checkAccessNumber(number) }
            isDenied = try client.deny(code.text)
        } catch {
            guard error.code == .flowError else { throw CommandFailure(error, at: user.backend) }
            throw CommandFailure(
                .protocolFault, "NOT_OFFERED", "\(user.backend) cannot be told that a login is denied.",
                advice: Advice("Do nothing: the number runs out by itself."))
        }
        guard isDenied else { throw ApproveCommand.unknown(user) }
        return CommandOutcome(
            report: Report(
                ["The waiting session is turned down; it is told at once."],
                ["server": .text(user.backend), "denied": .flag(true)]))
    }
}
