// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPin
import MPinAgent
import MPinConfiguration
import MPinCrypto

struct ServerTrustCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust", abstract: "Replace the key of the server after you compared its fingerprint.",
        discussion: """
            A server that was set up again has a new key, and enrollments refuse it. This command makes the \
            enrollments of all accounts at the server's address belong to the new key. The holder of that key then \
            decides whether a PIN is right. Get the fingerprint from the server's administrator, not from \
            'server show'.
            """)

    @Argument(help: "The fingerprint of the server's key: 64 hexadecimal digits.") var fingerprint: String

    @Flag(help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard KeyFingerprint(fingerprint) != nil else { throw ValidationError(KeyFingerprint.form) }
        try common.requireAllAccounts()
    }

    func work() throws(CommandFailure) -> Report {
        guard let fingerprint = KeyFingerprint(fingerprint) else {
            throw CommandFailure(.usage, "USAGE", KeyFingerprint.form)
        }
        let configuration = try common.configuration()
        let stored = try StoredRegistrations(configuration)
        let address = try address(configuration, stored)
        let here = stored.all.filter { $0.user.backend == address }
        guard !here.isEmpty else {
            throw CommandFailure(
                .notEnrolled, "INVALID", "No enrollment on this machine is at \(address).",
                advice: CommandFailure.showList)
        }
        let server = try ProvenServer.at(address, configuration)
        guard server.fingerprint == fingerprint else {
            throw CommandFailure(
                .unavailable, "OTHER_SERVER_KEY",
                "\(server.address) has another key than the one you named. Nothing was changed.",
                advice: Advice("This may be an attack. Ask the server's administrator for the fingerprint again."))
        }
        let able = here.filter { $0.user.hasDeviceKey }
        guard !able.isEmpty else {
            throw CommandFailure(
                .notEnrolled, "NO_SERVER_KEY",
                "The enrollments at \(address) have no device key, so they can belong to no server key.",
                advice: Advice(
                    "If the server offers keys, get one", "recover",
                    of: Advice.Subject(here[0].user.summary, account: here[0].account)))
        }
        let changing = able.filter { $0.user.serverKeyFingerprint != fingerprint }
        if !changing.isEmpty {
            try stored.requireOnly(changing) { $0.serverKeyFingerprint == fingerprint }
            try confirm(server, changing)
            try stored.change(changing) { client throws(MPinError) in try client.trust(server, fingerprint: fingerprint)
            }
        }
        return outcome(server, able, changing, stored)
    }

    /// The address whose registrations change: the configured one, or that of all registrations.
    private func address(
        _ configuration: Configuration, _ stored: StoredRegistrations
    ) throws(CommandFailure) -> String {
        if let address = configuration.server.flatMap({ Backend($0)?.text }) { return address }
        let all = Set(stored.inUse.map(\.user.backend)).sorted()
        guard let first = all.first else {
            throw CommandFailure(.notEnrolled, "INVALID", "No account is enrolled.", advice: CommandFailure.register)
        }
        guard all.count == 1 else {
            throw CommandFailure(
                .usage, "USAGE", "The enrollments of this machine are at several servers.",
                advice: Advice("Use --server with one of these: " + all.joined(separator: ", ")))
        }
        return first
    }

    private func confirm(_ server: ProvenServer, _ changing: [StoredRegistrations.Entry]) throws(CommandFailure) {
        guard !yes else { return }
        let names = changing.filter { !$0.isStaged }.map(\.name)
        Terminal.say("\(server.address) has the key \(server.fingerprint.text).")
        Terminal.say("These enrollments belong to another key: \(names.joined(separator: ", ")).")
        Terminal.say("The holder of the new key decides from now on whether their PINs are right.")
        try common.confirm(
            "Did the server's administrator tell you this fingerprint?",
            needed: "Trusting another key needs confirmation.", refused: "Nothing was changed.",
            Advice("Show the keys", "server show"))
    }

    private func outcome(
        _ server: ProvenServer, _ able: [StoredRegistrations.Entry], _ changing: [StoredRegistrations.Entry],
        _ stored: StoredRegistrations
    ) -> Report {
        let changed = changing.filter { !$0.isStaged }.map(\.name)
        let others = able.filter { entry in !entry.isStaged && !changed.contains(entry.name) }.map(\.name)
        let lines =
            changed.map { "\($0) now belongs to this key of \(server.address)." }
            + others.map { "\($0) already belonged to this key." } + stored.faults.map { "Not changed: \($0)" }
        var members: Members = [
            "server": server.address, "serverKey": server.fingerprint.text, "changed": changed,
        ]
        if !stored.faults.isEmpty { members["damaged"] = stored.faults }
        return Report(
            lines, members,
            next: Advice("Try the PIN", "test").adding("If the server does not know the enrollment", "recover"),
            exitStatus: stored.faults.isEmpty ? .done : .storage)
    }
}
