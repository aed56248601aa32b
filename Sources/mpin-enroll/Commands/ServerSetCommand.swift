// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPin
import MPinAgent
import MPinConfiguration
import MPinCrypto

struct ServerSetCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Use another address of the server, without a new enrollment.",
        discussion: """
            The server at the new address must prove that it has the key of the enrollments. Then the enrollments of \
            all accounts with this key, and 'server' in the configuration, get the address. Nothing is changed if an \
            enrollment at the configured address has no key or another one. Repeat the command if it was interrupted.
            """)

    @Argument(help: "The server's new address: https://HOST[:PORT][/PATH] or unix:PATH.") var address: String

    @Flag(help: "Change the configuration although enrollments stay at the old address.") var leaveBehind = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard Backend(CommonOptions.serverAddress(address)) != nil else {
            throw ValidationError("A server's address is https://HOST[:PORT][/PATH] or unix:PATH.")
        }
        guard common.server == nil else { throw ValidationError("Give the address without --server.") }
        try common.requireAllAccounts()
    }

    func work() throws(CommandFailure) -> Report {
        let configuration = try common.configuration()
        let stored = try StoredRegistrations(configuration)
        let pinned = stored.all.filter { $0.user.hasDeviceKey }
        guard !pinned.isEmpty else { throw nonePinned(stored) }
        let server = try ProvenServer.at(CommonOptions.serverAddress(address), configuration)
        let moving = pinned.filter { $0.user.serverKeyFingerprint == server.fingerprint }
        guard !moving.isEmpty else { throw otherServer(server, pinned) }
        try stored.requireOnly(moving) { $0.backend == server.address }

        // The file is changed first, because the old address is found through the records. After a crash, either both
        // have the old address, or only records remain to be changed.
        let former = Set(moving.map(\.user.backend)).subtracting([server.address])
        let line = isFileOfStore ? ServerLine(configuration, naming: former) : nil
        if let line, !leaveBehind { try requireNoneLeft(stored, at: line.address, server) }
        let places = moving.map(\.user.backend)
        try line?.write(server.address)
        do throws(CommandFailure) {
            try stored.change(moving) { client throws(MPinError) in try client.move(to: server) }
        } catch {
            let change = line == nil ? "" : " \(configuration.file) already names \(server.address)."
            throw error.adding("Not all enrollments were moved.\(change)").advising(
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
    ) -> Report {
        var lines = moved.filter { !$0.entry.isStaged }.map { entry, from in
            from == server.address
                ? "\(entry.name) is at \(server.address)."
                : "\(entry.name) has moved from \(from) to \(server.address)."
        }
        if let file { lines.append("\(file) now names \(server.address).") }
        let former = Set(moved.map(\.from)).subtracting([server.address])
        let left = ServerSetCommand.left(stored, at: former, server)
        lines += left.map { "\($0.name) stays at \($0.user.backend): \(ServerSetCommand.reason($0))." }
        lines += stored.faults.map { "Not moved: \($0)" }
        var members: Members = [
            "server": server.address, "serverKey": server.fingerprint.text,
            "moved":
                moved.filter { !$0.entry.isStaged }.map { entry, from in
                    [
                        "account": entry.account, "identity": entry.user.identity, "from": from,
                    ]
                },
            "notMoved":
                left.map {
                    [
                        "account": $0.account, "identity": $0.user.identity,
                        "server": $0.user.backend,
                    ]
                },
        ]
        if let file { members["file"] = file }
        if !stored.faults.isEmpty { members["damaged"] = stored.faults }
        let next = left.first.map { entry in
            ServerSetCommand.advice(for: entry, server)
                .adding("Then run it again", "server set \(CommonOptions.quoted(server.address))")
        }
        return Report(
            lines, members, next: next ?? Advice("Check this machine", "doctor"),
            exitStatus: stored.faults.isEmpty ? .done : .storage)
    }

    // MARK: Enrollments that cannot be moved

    /// The registrations in use at some addresses that do not belong to the server's key.
    private static func left(
        _ stored: StoredRegistrations, at addresses: Set<String>, _ server: ProvenServer
    ) -> [StoredRegistrations.Entry] {
        stored.inUse.filter {
            addresses.contains($0.user.backend) && $0.user.serverKeyFingerprint != server.fingerprint
        }
    }

    /// Refuses to change the configured address while logins of registrations need it: the module would no longer find
    /// them, and would not learn that a server has revoked them.
    private func requireNoneLeft(
        _ stored: StoredRegistrations, at address: String, _ server: ProvenServer
    ) throws(CommandFailure) {
        let left = ServerSetCommand.left(stored, at: [address], server).filter {
            EnrolledUsers.canLogIn($0.user) || $0.user.state == .blocked
        }
        guard let first = left.first else { return }
        let again = "server set \(CommonOptions.quoted(server.address))"
        throw CommandFailure(
            .configuration, "LEFT_BEHIND",
            "Logins would no longer find the enrollments that stay at \(address). Nothing was changed.",
            advice: left.dropFirst().reduce(ServerSetCommand.advice(for: first, server)) {
                $0.adding(ServerSetCommand.advice(for: $1, server))
            }.adding("Then run it again", again).adding(
                "Or move the others, and enroll these again afterwards", again + " --leave-behind"),
            details: left.map { "\($0.name): \(ServerSetCommand.reason($0))." })
    }

    private static func reason(_ entry: StoredRegistrations.Entry) -> String {
        entry.user.hasDeviceKey ? "this enrollment belongs to another key" : "this enrollment belongs to no key"
    }

    /// The hint for a registration that cannot be moved.
    private static func advice(for entry: StoredRegistrations.Entry, _ server: ProvenServer) -> Advice {
        Advice(
            "Enroll \(entry.account) at the new address", "register",
            of: Advice.Subject(account: entry.account, identity: entry.user.identity, server: server.address))
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
                "If the server offers keys, get one", "recover",
                of: Advice.Subject(entry.user.summary, account: entry.account)))
    }

    private func otherServer(_ server: ProvenServer, _ pinned: [StoredRegistrations.Entry]) -> CommandFailure {
        let keys = Set(pinned.compactMap { $0.user.serverKeyFingerprint?.text }).sorted()
        return CommandFailure(
            .unavailable, "OTHER_SERVER_KEY",
            "\(server.address) has another key than the server of the enrollments. Nothing was changed.",
            advice: Advice("Ask the administrator for the server's address, and compare the fingerprints."),
            details: keys.map { "The key of the enrollments: \($0)" })
    }
}
