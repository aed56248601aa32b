// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinAgent
import MPinConfiguration
import MPinCrypto

/// The registrations of all accounts in a store, for changes of the key or address of their server.
struct StoredRegistrations {
    /// A registration, as it was when the store was read.
    struct Entry {
        let account: String
        let user: User
        /// Whether it waits in the staging area, as the new one of an unfinished recovery.
        let isStaged: Bool

        /// The account, and the identity if its name differs.
        var name: String { account == user.identity ? account : "\(account) (\(user.identity))" }
    }

    let configuration: Configuration
    private(set) var all: [Entry] = []
    /// Why registrations could not be read, a sentence for each account.
    private(set) var faults: [String] = []

    /// The registrations with which logins are possible now.
    var inUse: [Entry] { all.filter { !$0.isStaged } }

    init(_ configuration: Configuration) throws(CommandFailure) {
        self.configuration = configuration
        let accounts: [String]
        do throws(StoreError) { accounts = try FileStore.accountNames(in: configuration.store).sorted() } catch {
            throw CommandFailure(
                error, StoreLocation(directory: configuration.store, account: ""), creating: false,
                advice: CommandFailure.register)
        }
        for account in accounts {
            do throws(CommandFailure) { try read(account) } catch { faults.append("\(account): \(error.message)") }
        }
    }

    private mutating func read(_ account: String) throws(CommandFailure) {
        let target = try target(account)
        for area in StoredRegistrations.areas {
            guard let client = try StoredRegistrations.opened(target, area) else { continue }
            all += client.allUsers.map { Entry(account: account, user: $0, isStaged: area == .staging) }
            guard client.recordsSetAside > 0 else { continue }
            let place = StoreLocation(directory: configuration.store, account: account, area: area)
            faults.append("\(account): A record in \(place.records) is damaged and cannot be read.")
        }
    }

    private static let areas = [FileStore.Area.users, .staging]

    private func target(_ account: String) throws(CommandFailure) -> TargetAccount {
        try TargetAccount(configuration, account: account, identity: account)
    }

    /// - Returns: `nil` if the account has no file there.
    private static func opened(_ target: TargetAccount, _ area: FileStore.Area) throws(CommandFailure) -> MPinClient? {
        do throws(CommandFailure) { return try target.open(area) } catch {
            guard error.exitStatus == .notEnrolled else { throw error }
            return nil
        }
    }

    /// Changes the registrations of the accounts that some registrations belong to, an account at a time: those in use,
    /// and those of an unfinished recovery.
    func change(_ entries: [Entry], _ work: (inout MPinClient) throws(MPinError) -> Void) throws(CommandFailure) {
        for account in Set(entries.map(\.account)).sorted() {
            let target = try target(account)
            try target.inTurn { () throws(CommandFailure) in
                for area in StoredRegistrations.areas {
                    guard var client = try StoredRegistrations.opened(target, area) else { continue }
                    do throws(MPinError) { try work(&client) } catch { throw CommandFailure(error) }
                }
            }
        }
    }

    /// Makes sure that a change does not make two registrations of an account the same one.
    ///
    /// - Parameter isSame: whether a registration would be that of the same identity at the same server.
    func requireOnly(_ changed: [Entry], _ isSame: (User) -> Bool) throws(CommandFailure) {
        for entry in changed {
            let other = all.first { other in
                other.user !== entry.user && other.account == entry.account && other.isStaged == entry.isStaged
                    && other.user.identity == entry.user.identity && isSame(other.user)
            }
            guard let other else { continue }
            throw CommandFailure(
                .enrolledAlready, "ENROLLED_ALREADY",
                "\(entry.name) would have two enrollments at one server: that at \(entry.user.backend), and that at "
                    + "\(other.user.backend). Nothing was changed.",
                advice: Advice(
                    "Remove the one that is no longer needed", "remove",
                    of: Advice.Subject(other.user.summary, account: entry.account)))
        }
    }
}
