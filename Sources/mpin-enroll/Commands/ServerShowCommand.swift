// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CMPinSystem
import Console
import Glibc
import MPin
import MPinCrypto

/// `server show`: shows the servers of an account's registrations with their keys, and asks each for its present key.
struct ServerShowCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the server's address and key, and check which key it has.",
        discussion: """
            Without an enrollment, shows the key of the configured server.
            """)

    @OptionGroup(title: HelpText.common) var common: CommonOptions

    var order: AgentOrder { AgentOrder(command: MPIN_AGENT_SERVER) }

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        let users = try users(of: target)
        guard !users.isEmpty else {
            // The agent makes root contact only the servers at which its caller is enrolled.
            guard ServedPerson.current == nil else {
                throw CommandFailure.notEnrolled(target.account, advice: CommandFailure.register)
            }
            return try configured(target)
        }
        var keys = PresentKeys(target.configuration)
        let known = users.map { KnownServer($0, keys.key(at: $0.backend)) }
        let lines = known.enumerated().flatMap { ($0 == 0 ? [] : [""]) + $1.lines }
        return CommandOutcome(
            report: Report(
                AccountStatus.wrapped(lines, columns: common.display(STDOUT_FILENO).columns),
                ["account": .text(target.account), "servers": .list(known.map(\.members))],
                next: known.lazy.compactMap(\.advice).first),
            exitStatus: known.lazy.compactMap(\.exitStatus).first ?? .done, isAnswer: true)
    }

    /// The account's registrations that the options select, in any state.
    private func users(of target: TargetAccount) throws(CommandFailure) -> [User] {
        do throws(CommandFailure) {
            let users = try target.open().allUsers
            return users.filter { user in
                (common.identity == nil || user.identity == common.identity)
                    && (common.server == nil || user.backend == target.normalServer)
            }
        } catch  where error.exitStatus == .notEnrolled { return [] }
    }

    /// The key of the configured server, to which no registration belongs.
    private func configured(_ target: TargetAccount) throws(CommandFailure) -> CommandOutcome {
        let address = try target.requiredServer()
        let server = try ProvenServer.at(address, target.configuration)
        let key = server.fingerprint.text
        return CommandOutcome(
            report: Report(
                AccountStatus.wrapped(
                    [
                        "server    \(server.address)", "serverkey \(key)",
                        "now       no enrollment of \(target.account) uses this address",
                    ], columns: common.display(STDOUT_FILENO).columns),
                [
                    "account": .text(target.account),
                    "servers": .list([["server": .text(server.address), "presentKey": .text(key)]]),
                ]), isAnswer: true)
    }
}
