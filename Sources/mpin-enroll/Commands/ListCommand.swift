// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPin
import MPinAgent
import MPinConfiguration
import MPinCrypto
import MPinWire

/// `list`: lists the registrations on this machine. Root sees all accounts, other users see their own.
struct ListCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the enrollments on this machine.",
        discussion: """
            Prints columns with a heading on a terminal. Otherwise, prints a line for each enrollment, with tabs \
            between account, identity, state, server, how the server's key became known, and the key.
            """)

    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Report {
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
                try FileStore.accountNames(in: directory)
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
        return listing.report(common)
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

/// The registrations of the accounts of a machine, and the records that cannot be read.
struct AccountListing {
    private var members: [Members] = []
    private var rows: [[Table.Cell]] = []
    private var faults: [(account: String, sentence: String)] = []
    /// Whether there are registrations that `--identity` filtered out.
    private var hasOthers = false

    mutating func add(_ target: TargetAccount, _ options: CommonOptions) throws(CommandFailure) {
        let client = try target.open()
        for user in client.allUsers {
            guard options.identity == nil || user.identity == options.identity else {
                hasOthers = true
                continue
            }
            members.append(target.description(of: user.summary))
            rows.append([
                Table.Cell(target.account), Table.Cell(user.identity),
                .state(user.state.name, shown: AccountStatus.words(user.state)), Table.Cell(user.backend),
                Table.Cell(user.serverKeySource?.name.text.string ?? "-"),
                Table.Cell(user.serverKeyFingerprint?.text ?? "-", shown: user.serverKeyFingerprint?.short),
            ])
        }
        if client.replacesAnother { Terminal.say("mpin-enroll: \(target.account): \(CommandFailure.replaced)") }
        guard client.recordsSetAside > 0 else { return }
        let account = target.account
        if client.isPutAside {
            add(fault: CommandFailure.putAside(account, target.filesAside).message, account)
        } else {
            let place = StoreLocation(directory: target.configuration.store, account: account)
            add(fault: "A record in \(place.records) is damaged and cannot be read.", account)
        }
    }

    mutating func add(fault: String, _ account: String) { faults.append((account, fault)) }

    func report(_ options: CommonOptions) -> Report {
        var object: Members = ["identities": members]
        if !faults.isEmpty {
            object["damaged"] = faults.map { ["account": $0.account, "message": $0.sentence] as Members }
        }
        let sentences = faults.map { "\($0.account): \($0.sentence)" }
        let way = faults.first.map { Advice("Enroll again", "register", of: Advice.Subject(account: $0.account)) }
        guard rows.isEmpty else {
            // Rows go to standard output for programs, faults to standard error.
            for sentence in sentences { Terminal.say("mpin-enroll: " + sentence) }
            let table = Table(
                heading: ["ACCOUNT", "IDENTITY", "STATE", "SERVER", "KEY FROM", "SERVER KEY"], rows: rows)
            return Report(table, object, exitStatus: faults.isEmpty ? .done : .storage)
        }
        guard faults.isEmpty else { return Report(sentences, object, next: way, exitStatus: .storage, isAnswer: true) }
        let whole = Advice("Show who is enrolled here", "list")
        if let identity = options.identity, hasOthers {
            let none = options.user.map { "\($0) is not" } ?? "No account is"
            return Report(["\(none) enrolled as \(identity)."], object, next: whole, isAnswer: true)
        }
        guard let account = options.user else { return Report(["No account is enrolled."], object, isAnswer: true) }
        return Report(["\(account) is not enrolled here."], object, next: whole, isAnswer: true)
    }
}
