// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPin
import MPinAgent
import MPinConfiguration
import MPinCrypto
import MPinWire

/// The registrations of the accounts of a machine, and the records that cannot be read.
struct AccountListing {
    private var members: [[String: Report.Value]] = []
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
                .state(user.state.name.text, shown: AccountStatus.words(user.state)), Table.Cell(user.backend),
                Table.Cell(user.serverKeySource?.name.text.string ?? "-"),
                Table.Cell(user.serverKeyFingerprint?.text ?? "-"),
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

    /// Whether all records could be read.
    var isWhole: Bool { faults.isEmpty }

    mutating func add(fault: String, _ account: String) { faults.append((account, fault)) }

    func report(_ options: CommonOptions) -> Report {
        var object: [String: Report.Value] = ["identities": .list(members)]
        if !faults.isEmpty {
            object["damaged"] = .list(faults.map { ["account": .text($0.account), "message": .text($0.sentence)] })
        }
        let sentences = faults.map { "\($0.account): \($0.sentence)" }
        let way = faults.first.map { Advice("Enroll again", "register", of: Advice.Subject(account: $0.account)) }
        guard rows.isEmpty else {
            // Rows go to standard output for programs, faults to standard error.
            for sentence in sentences { Terminal.say("mpin-enroll: " + sentence) }
            let table = Table(
                heading: ["ACCOUNT", "IDENTITY", "STATE", "SERVER", "KEY FROM", "SERVER KEY"], rows: rows)
            return Report(table, object)
        }
        guard faults.isEmpty else { return Report(sentences, object, next: way) }
        let whole = Advice("Show who is enrolled here", "list")
        if let identity = options.identity, hasOthers {
            let none = options.user.map { "\($0) is not" } ?? "No account is"
            return Report(["\(none) enrolled as \(identity)."], object, next: whole)
        }
        guard let account = options.user else { return Report(["No account is enrolled."], object) }
        return Report(["\(account) is not enrolled here."], object, next: whole)
    }
}
