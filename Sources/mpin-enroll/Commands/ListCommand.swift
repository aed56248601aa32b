// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPin
import MPinConfiguration

/// `list`: lists the registrations on this machine. Root sees all accounts, other users see their own.
struct ListCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the enrollments on this machine.",
        discussion: """
            Prints columns with a heading on a terminal. Otherwise, prints a line for each enrollment, with tabs \
            between account, identity, state, server, how the server's key became known, and the key.
            """)

    @OptionGroup(title: HelpText.common) var common: CommonOptions

    func work() throws(CommandFailure) -> CommandOutcome {
        let configuration = try common.configuration()
        if common.identity == "" { throw CommandFailure.emptyIdentity }
        let aside = try ListCommand.present(configuration) { directory throws(StoreError) in
            try FileStore.unreadableFiles(in: directory)
        }
        let accounts: [String]
        if common.user != nil {
            accounts = [try TargetAccount(common, mayBeGone: true).account]
        } else {
            let enrolled = try ListCommand.present(configuration) { directory throws(StoreError) in
                try FileStore.accounts(in: directory)
            }
            accounts = Set(enrolled + aside.map(\.account)).sorted()
        }

        var listing = AccountListing()
        for account in accounts {
            let target = try TargetAccount(configuration, account: account, identity: common.identity)
            do throws(CommandFailure) { try listing.add(target, common) } catch {
                guard error.exitStatus != .notEnrolled else { continue }
                listing.add(fault: error.message, account)
            }
        }
        return CommandOutcome(
            report: listing.report(common), exitStatus: listing.isWhole ? .done : .storage, isAnswer: true)
    }

    /// Lists the store; empty if there is no store.
    private static func present<Element>(
        _ configuration: Configuration, _ find: (String) throws(StoreError) -> [Element]
    ) throws(CommandFailure) -> [Element] {
        do throws(StoreError) { return try find(configuration.store) } catch {
            switch error {
            case .notEnrolled, .noStore: return []
            default:
                throw CommandFailure(
                    error, StoreLocation(directory: configuration.store, account: ""), creating: false,
                    advice: CommandFailure.register)
            }
        }
    }
}
