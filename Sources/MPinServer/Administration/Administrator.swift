// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import MPinCrypto
internal import MPinServerRoles
package import MPinServerStorage

/// The operations of an administrator on a server, whether it runs or not.
///
/// They change only the database. A running server uses each change from its next request on.
package struct Administrator: Sendable {
    let store: ServerStorage
    let vault: Vault
    let invitations: SigningKey
    let hostKey: SigningKey
    let configuration: ServerConfiguration
    let clock: ServerClock
    let actor: String

    /// Opens a server's directory.
    ///
    /// - Parameter isRoleOpen: whether it may be the directory of an authority, which has neither users nor devices.
    package init(
        _ directory: ServerDirectory, ofAnyRole isRoleOpen: Bool = false, configuration file: String? = nil,
        actor: String
    ) throws(ServerError) {
        try self.init(directory, configuration: file, actor: actor, clock: .system)
        let role = try store.role()
        guard isRoleOpen || role != .authority else { throw ServerRole.withoutUsers }
    }

    package init(
        _ directory: ServerDirectory, configuration file: String? = nil, actor: String, clock: ServerClock
    ) throws(ServerError) {
        try directory.check()
        configuration = try directory.readConfiguration(file: file)
        store = try directory.storage(.writing)
        let root = try directory.readKey(for: store)
        vault = Vault(store, root)
        invitations = try ServerKeys.signing(.invitation, root)
        hostKey = try ServerKeys.signing(.host, root)
        self.clock = clock
        self.actor = actor
    }

    static let nameRule = "Use 1 to 256 bytes without spaces, control characters and invisible characters."

    package func fingerprint() throws(ServerError) -> String { try vault.serverKey().fingerprint }

    /// The address that other machines use; nil if there is none.
    package func publicURL() throws(ServerError) -> String? {
        PublicURL.reachable(configuration.roles.publicURL, try store.identity().publicURL)
    }

    /// The server's key as a CA for its host alone, for programs that are not its clients, as PEM.
    package func browserAuthority() throws(ServerError) -> String {
        guard configuration.selfSigned, let url = configuration.roles.publicURL else {
            throw ServerError(
                .nothingToChange, "this server does not sign its own certificate",
                hint: "Only 'setup --self-signed' makes it do so.")
        }
        let host = try CertificateHost(url: url)
        do {
            // The key does not expire either.
            let der = try vault.serverKey().authorityCertificate(for: host, valid: 0..<253_402_300_799)
            guard let der else {
                throw ServerError(
                    .nothingToChange, "a CA certificate cannot be limited to the address in \(url)",
                    hint: "Use the name of a host in public_url.")
            }
            return PEM.certificate(der)
        } catch let error as ServerError { throw error } catch {
            throw ServerError(.internalFault, "cannot make the certificate: \(error)")
        }
    }

    package func users() throws(ServerError) -> [UserRecord] {
        try store.users(named: nil, limits: attemptLimits, now: clock.now.seconds)
    }

    package func user(_ name: String) throws(ServerError) -> UserRecord {
        let found = try store.users(named: name, limits: attemptLimits, now: clock.now.seconds)
        guard let user = found.first else { throw Self.unknown(name) }
        return user
    }

    /// Whether registrations without a device key are refused.
    package var refusesWithoutKey: Bool { !configuration.roles.acceptsMilagro }

    package var attemptLimits: AttemptLimits { configuration.roles.attemptLimits }

    /// A reader of the audit log.
    ///
    /// - Parameters:
    ///   - newest: how many of the present events it reads first; nil for all.
    ///   - isFollowing: whether it reads on for later events.
    package func auditReader(
        user: String? = nil, since: Timestamp? = nil, until: Timestamp? = nil, newest: Int?,
        isFollowing: Bool = false
    ) throws(ServerError) -> AuditReader {
        let start = since?.milliseconds ?? .min
        let times = start..<max(start, until?.milliseconds ?? .max)
        let place = try newest.map { count throws(ServerError) in
            try store.place(beforeNewest: count, user: user, times: times)
        }
        return AuditReader(store, user: user, times: times, after: place ?? .start, isFollowing: isFollowing)
    }

    static func unknown(_ user: String) -> ServerError {
        ServerError(.noSuchUser, "no such user: \(user)", next: "user list")
    }
}

/// Reads the audit log onward from a place. Between two calls it keeps neither a transaction nor a lock.
package struct AuditReader {
    private let store: ServerStorage
    private let user: String?
    /// In milliseconds.
    private let times: Range<Int64>
    /// The place up to which the log was read.
    private var last: AuditPlace
    private let isFollowing: Bool

    init(_ store: ServerStorage, user: String?, times: Range<Int64>, after last: AuditPlace, isFollowing: Bool) {
        (self.store, self.user, self.times, self.last) = (store, user, times, last)
        self.isFollowing = isFollowing
    }

    /// Reads up to the present end of the log, in parts.
    package mutating func read(_ body: ([AuditLine]) -> Void) throws(ServerError) {
        while true {
            let next = try store.events(after: last, user: user, times: times, isFollowed: isFollowing)
            body(next.events)
            last = next.last
            if next.isEnd { return }
        }
    }
}

extension Administrator {
    /// Makes a secret for a host and returns it. It is never shown again, and the host's earlier secret becomes
    /// invalid.
    package func addHost(_ name: String) throws(ServerError) -> String {
        guard UserName.isValid(name) else {
            throw ServerError(.badInput, "the host name is not valid", hint: Self.nameRule)
        }
        do {
            let secret = try Hosts.generate()
            let hash = try Hosts.hash(secret, key: hostKey) ?? []
            let now = clock.now
            try store.setHost(
                name, secret: hash, now: now.seconds, event: AuditEvent(.hostAdded(name), at: now, actor: actor))
            return secret
        } catch { throw error as? ServerError ?? ServerError(.internalFault, "cannot make a secret") }
    }

    /// The hosts, and when each of them got its secret.
    package func hosts() throws(ServerError) -> [(name: String, created: Timestamp)] {
        try store.hosts().map { ($0.name, Timestamp(seconds: $0.created)) }
    }

    package func removeHost(_ name: String) throws(ServerError) {
        let wasThere = try store.removeHost(name, event: AuditEvent(.hostRemoved(name), at: clock.now, actor: actor))
        guard wasThere else { throw ServerError(.noSuchUser, "no such host: \(name)", next: "host list") }
    }

    /// Sends a test mail through the configured SMTP server, and waits for the server's reply.
    ///
    /// - Returns: nil if the mail server accepted it, otherwise the reason.
    package func sendTestMail(to recipient: String) throws(ServerError) -> String? {
        guard let address = MailAddress(recipient) else {
            throw ServerError(.badInput, "'\(recipient)' is not a mail address")
        }
        let server = try MailServer(configuration.roles.mail)
        let message = MailMessage(
            senderName: configuration.roles.serviceName, sender: server.sender, recipient: address, subject: "Test",
            body: "Mail from this server arrives.\n", time: clock.now)
        let text: [UInt8]
        do throws(CryptoError) { text = try message.encode() } catch {
            throw ServerError(.internalFault, "cannot create the mail")
        }
        switch server.send(text, to: address) {
        case .sent: return nil
        case .refused(let status): return "the mail server answered \(status)"
        case .failed(let reason): return reason
        }
    }
}
