// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPin
import MPinAgent
import MPinCrypto

struct ServerShowCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the server's address and key, and check which key it has.",
        discussion: """
            Without an enrollment, shows the key of the configured server.
            """)

    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Report {
        let target = try TargetAccount(common)
        var known: [KnownServer] = []
        do throws(CommandFailure) {
            var fields = try target.perform(AccountAction(.read, "keys"), common)
            known = fields.items { KnownServer(&$0) }
            guard fields.isWhole else { throw AgentCall.senseless }
        } catch {
            // The agent makes root contact only the servers at which its caller is enrolled.
            guard error.exitStatus == .notEnrolled, !AgentCall.isUsed else { throw error }
        }
        known = known.filter { common.server == nil || $0.user.backend == target.normalServer }
        guard !known.isEmpty else { return try configured(target) }
        let lines = known.enumerated().flatMap { ($0 == 0 ? [] : [""]) + $1.lines }
        return Report(
            AccountStatus.wrapped(lines, columns: common.display(STDOUT_FILENO).columns),
            ["account": target.account, "servers": known.map(\.members)],
            next: known.lazy.compactMap(\.advice).first,
            exitStatus: known.lazy.compactMap(\.exitStatus).first ?? .done, isAnswer: true)
    }

    /// The key of the configured server, to which no registration belongs.
    private func configured(_ target: TargetAccount) throws(CommandFailure) -> Report {
        let address = try target.requiredServer()
        var key: String?
        do throws(CommandFailure) {
            key = try ProvenServer.at(address, target.configuration, isKnown: false).fingerprint.text
        } catch {
            guard case .noServerKey? = error.circumstance as? Circumstance else { throw error }
        }
        var server: Members = ["server": target.normalServer ?? address]
        if let key { server["presentKey"] = key }
        return Report(
            AccountStatus.wrapped(
                [
                    "server    \(target.normalServer ?? address)",
                    "serverkey \(key ?? "none: the server proves no key, as a server of 2016")",
                    "now       no enrollment of \(target.account) uses this address",
                ], columns: common.display(STDOUT_FILENO).columns),
            ["account": target.account, "servers": [server]], isAnswer: true)
    }
}
