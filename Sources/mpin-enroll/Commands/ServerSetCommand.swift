// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPin
import MPinConfiguration
import MPinCrypto

/// `server set`: moves the registrations that belong to a server's key to its new address.
struct ServerSetCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Use another address of the server, without a new enrollment.",
        discussion: """
            The server at the new address must prove that it has the key of the enrollments. Then the enrollments of \
            all accounts with this key, and 'server' in the configuration, get the address. Repeat the command if it \
            was interrupted.
            """)

    @OptionGroup(title: HelpText.common) var common: CommonOptions

    @Argument(help: "The server's new address: https://HOST[:PORT][/PATH] or unix:PATH.")
    var address: String

    func validate() throws {
        guard Backend(CommonOptions.serverAddress(address)) != nil else {
            throw ValidationError("A server's address is https://HOST[:PORT][/PATH] or unix:PATH.")
        }
        guard common.server == nil else { throw ValidationError("Give the address without --server.") }
        try common.requireAllAccounts()
    }

    func work() throws(CommandFailure) -> CommandOutcome {
        let configuration = try common.configuration()
        let stored = try StoredRegistrations(configuration)
        let pinned = stored.all.filter { $0.user.isPinned }
        guard !pinned.isEmpty else { throw nonePinned(stored) }
        let server = try ProvenServer.at(CommonOptions.serverAddress(address), configuration)
        let moving = pinned.filter { $0.user.serverKeyFingerprint == server.fingerprint }
        guard !moving.isEmpty else { throw otherServer(server, pinned) }
        try stored.requireOnly(moving) { $0.backend == server.address }

        // The file is changed first, because the old address is found through the records. After a crash, either both
        // have the old address, or only records remain to be changed.
        let former = Set(moving.map(\.user.backend)).subtracting([server.address])
        let line = isFileOfStore ? ServerLine(configuration, naming: former) : nil
        let places = moving.map(\.user.backend)
        try line?.write(server.address)
        do throws(CommandFailure) {
            try stored.change(moving) { client throws(MPinError) in try client.move(to: server) }
        } catch {
            throw error.adding("Not all enrollments were moved.").advising(
                (error.advice ?? Advice("Then repeat")).adding(
                    "Then run it again", "server set \(CommonOptions.quoted(server.address))"))
        }
        return outcome(stored, Array(zip(moving, places)), server, line == nil ? nil : configuration.file)
    }

    /// Whether the configuration's file is the one for this store, and not that of the system for another store.
    private var isFileOfStore: Bool { common.store == nil || common.config != nil }

    private func outcome(
        _ stored: StoredRegistrations, _ moved: [(entry: StoredRegistrations.Entry, from: String)],
        _ server: ProvenServer, _ file: String?
    ) -> CommandOutcome {
        var lines = moved.filter { !$0.entry.isStaged }.map { entry, from in
            from == server.address
                ? "\(entry.name) is at \(server.address)."
                : "\(entry.name) has moved from \(from) to \(server.address)."
        }
        if let file { lines.append("\(file) now names \(server.address).") }
        let former = Set(moved.map(\.from)).subtracting([server.address])
        let left = stored.inUse.filter { !$0.user.isPinned && former.contains($0.user.backend) }
        lines += left.map { "\($0.name) stays at \($0.user.backend): this enrollment belongs to no key yet." }
        lines += stored.faults.map { "Not moved: \($0)" }
        var members: [String: Report.Value] = [
            "server": .text(server.address), "serverKey": .text(server.fingerprint.text),
            "moved": .list(
                moved.filter { !$0.entry.isStaged }.map { entry, from in
                    [
                        "account": .text(entry.account), "identity": .text(entry.user.identity), "from": .text(from),
                    ]
                }),
            "notMoved": .list(
                left.map {
                    [
                        "account": .text($0.account), "identity": .text($0.user.identity),
                        "server": .text($0.user.backend),
                    ]
                }),
        ]
        if let file { members["file"] = .text(file) }
        if !stored.faults.isEmpty { members["damaged"] = .texts(stored.faults) }
        let next = left.first.map { ServerSetCommand.advice(for: $0, server) }
        return CommandOutcome(
            report: Report(lines, members, next: next ?? Advice("Check this machine", "doctor")),
            exitStatus: stored.faults.isEmpty ? .done : .storage)
    }

    /// The hint for a registration that could not be moved, because it belongs to no key.
    private static func advice(for entry: StoredRegistrations.Entry, _ server: ProvenServer) -> Advice {
        let name = "--user \(CommonOptions.quoted(entry.account))"
        let identity = CommonOptions.quoted(entry.user.identity)
        let user = entry.user.identity == entry.account ? name : "\(name) --identity \(identity)"
        let (old, new) = (CommonOptions.quoted(entry.user.backend), CommonOptions.quoted(server.address))
        return Advice("Log in at the old address", "test \(user) --server \(old)")
            .adding("Then run it again", "server set \(new)")
            .adding("Or, if that server no longer answers, enroll again", "register \(user) --server \(new)")
    }

    private func nonePinned(_ stored: StoredRegistrations) -> CommandFailure {
        guard let entry = stored.inUse.first else {
            return CommandFailure(
                .notEnrolled, "INVALID", "No account is enrolled, so there is nothing to move.",
                advice: Advice("Set 'server = ADDRESS' in \(stored.configuration.file)."))
        }
        return CommandFailure(
            .notEnrolled, "NO_SERVER_KEY",
            "No enrollment on this machine belongs to a server key. Nothing was changed.",
            advice: Advice(
                "Log in at the present address", "test --user \(CommonOptions.quoted(entry.account))"))
    }

    private func otherServer(_ server: ProvenServer, _ pinned: [StoredRegistrations.Entry]) -> CommandFailure {
        let keys = Set(pinned.compactMap { $0.user.serverKeyFingerprint?.text }).sorted()
        return CommandFailure(
            .unavailable, "OTHER_SERVER_KEY",
            "\(server.address) is another server than that of the enrollments. Nothing was changed.",
            advice: Advice("Ask the administrator for the server's address, and compare the fingerprints."),
            details: ["Its key: \(server.fingerprint.text)"] + keys.map { "The key of enrollments: \($0)" })
    }
}
