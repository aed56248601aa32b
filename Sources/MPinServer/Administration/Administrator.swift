// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import MPinCrypto
internal import MPinServerRoles
package import MPinServerStorage

/// The operations of an administrator on a server, whether it runs or not.
///
/// They change only the database. A running server uses each change from its next request on.
package struct Administrator: Sendable {
    let store: SQLiteStorage
    private let vault: Vault
    private let invitations: SigningKey
    let hostKey: SigningKey
    let configuration: ServerConfiguration
    let clock: ServerClock
    let actor: String

    /// Opens a server's directory.
    ///
    /// - Parameters:
    ///   - isRoleOpen: whether it may be the directory of an authority, which has neither users nor devices.
    ///   - actor: who runs the command, for the audit log.
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
        store = try SQLiteStorage(path: directory.database)
        let root = try directory.readKey(for: store)
        vault = Vault(store, root)
        invitations = try ServerKeys.signing(.invitation, root)
        hostKey = try ServerKeys.signing(.host, root)
        self.clock = clock
        self.actor = actor
    }

    static let nameRule = "Use 1 to 256 bytes, no control or invisible characters, and no space at either end."

    package func fingerprint() throws(ServerError) -> String { try vault.serverKey().fingerprint }

    /// The address that other machines use; nil if there is none.
    package func publicURL() throws(ServerError) -> String? {
        PublicURL.reachable(configuration.roles.publicURL, try store.identity().publicURL)
    }

    /// Makes an invitation. Returns its code, which is never shown again, and when it expires.
    ///
    /// - Parameter seconds: how long it is valid; nil for the configured time.
    package func invite(_ user: String, seconds: Int? = nil) throws(ServerError) -> (code: String, expires: Timestamp) {
        guard UserName.isValid(user) else {
            throw ServerError(.badInput, "the user ID is not valid", hint: Self.nameRule)
        }
        let seconds = seconds ?? configuration.roles.invitationSeconds
        guard 1...31_536_000 ~= seconds else {
            throw ServerError(.badInput, "the lifetime of an invitation must be 1 to 31536000 seconds")
        }
        let now = clock.now
        let expires = now.adding(seconds: Int64(seconds))
        do {
            let code = try invitations.makeCode(for: user)
            _ = try store.addInvitation(
                code.stored, user: user, now: now.seconds, expires: expires.seconds, maker: nil,
                event: AuditEvent(.invited(until: expires, byOwner: false), at: now, user: user, actor: actor))
            return (code.text, expires)
        } catch { throw error as? ServerError ?? ServerError(.internalFault, "cannot make a code") }
    }

    package func users() throws(ServerError) -> [UserRecord] {
        try store.users(named: nil, limits: configuration.roles.attemptLimits, now: clock.now.seconds)
    }

    package func user(_ name: String) throws(ServerError) -> UserRecord {
        let found = try store.users(named: name, limits: configuration.roles.attemptLimits, now: clock.now.seconds)
        guard let user = found.first else { throw Self.unknown(name) }
        return user
    }

    /// When each device of a user was last refused because it has no key.
    package func unsignedRefusals(_ user: String) throws(ServerError) -> [Int: Timestamp] {
        try store.unsignedRefusals(user)
    }

    /// Whether registrations without a device key are refused.
    package var refusesWithoutKey: Bool { !configuration.roles.acceptsMilagro }

    /// Wrong PINs after which a device is blocked.
    package var attemptLimit: Int { configuration.roles.maxInvalidLoginAttempts }

    /// Wrong PINs within ``recentDays`` days after which a device is blocked, regardless of right PINs between them.
    package var recentLimit: Int { configuration.roles.maxRecentWrongAttempts }

    /// The number of those days.
    package var recentDays: Int { configuration.roles.recentWrongDays }

    /// The newest events, oldest first.
    package func audit(
        user: String?, since: Timestamp? = nil, until: Timestamp? = nil, limit: Int
    ) throws(ServerError) -> [AuditLine] {
        try store.events(user: user, times: Self.times(since, until), limit: limit)
    }

    /// All events, oldest first, in parts.
    package func exportAudit(
        user: String?, since: Timestamp?, until: Timestamp?, _ body: ([AuditLine]) -> Void
    ) throws(ServerError) {
        var reader = AuditReader(store, user: user, times: Self.times(since, until))
        try reader.read(body)
    }

    /// A reader of events as they come.
    ///
    /// - Parameter newest: how many of the present events it reads first; nil for all.
    package func auditReader(user: String?, since: Timestamp?, newest: Int?) throws(ServerError) -> AuditReader {
        let place = try newest.map { count throws(ServerError) in try store.place(beforeNewest: count, user: user) }
        return AuditReader(store, user: user, times: Self.times(since, nil), after: place ?? 0)
    }

    /// In milliseconds; empty if the end is before the beginning.
    private static func times(_ since: Timestamp?, _ until: Timestamp?) -> Range<Int64> {
        let start = since?.milliseconds ?? .min
        return start..<max(start, until?.milliseconds ?? .max)
    }

    static func unknown(_ user: String) -> ServerError {
        ServerError(.noSuchUser, "no such user: \(user)", next: "user list")
    }
}

/// Reads the audit log onward from a place. Between two calls it keeps neither a transaction nor a lock.
package struct AuditReader {
    private let store: SQLiteStorage
    private let user: String?
    /// In milliseconds.
    private let times: Range<Int64>
    /// The place up to which the log was read.
    private var last: Int64

    init(_ store: SQLiteStorage, user: String?, times: Range<Int64>, after last: Int64 = 0) {
        (self.store, self.user, self.times, self.last) = (store, user, times, last)
    }

    /// Reads up to the present end of the log, in parts.
    package mutating func read(_ body: ([AuditLine]) -> Void) throws(ServerError) {
        while true {
            let next = try store.events(after: last, user: user, times: times)
            body(next.events)
            last = next.last
            if next.isEnd { return }
        }
    }
}
