// SPDX-License-Identifier: Apache-2.0

/// The durable state of a server, which several processes may use at the same time.
///
/// Each operation is one transaction that contains its conditions. Unless stated otherwise, its writes are durable when
/// it returns. Nothing is cached: a change that an administrator makes while the server runs applies to the next
/// request.
package protocol ServerStorage: IdentityStorage, KeyStorage, RegistrationStorage, AttemptStorage, CodeStorage,
    MailStorage, UserStorage, HostStorage, AuditStorage
{
    /// The location in messages: the path of a database.
    var place: String { get }
    /// How many writes wait for a commit.
    var waitingWrites: Int { get }

    /// Writes a value that nothing reads. Fails if a login could not be written either: the disk is full, the storage
    /// is read-only or damaged, or another process has locked it.
    func checkWriting() throws(ServerError)
    /// Deletes all expired registrations, commitments, invitations and mails. Each transaction deletes a limited number
    /// of those that are many.
    ///
    /// - Parameter oldestEvent: deletes the events of the audit log before this time as well; nil keeps all events.
    func purgeExpired(now: Timestamp, oldestEvent: Timestamp?) throws(ServerError)
    /// Closes the storage for this process.
    func close() throws(ServerError)
}

/// The properties of a server that never change.
package protocol IdentityStorage: Sendable {
    /// Writes the settings that initialization has decided.
    func initialize(_ settings: FixedSettings, event: AuditEvent) throws(ServerError)

    /// The names of the server, which are decided once.
    func identity() throws(ServerError) -> ServerIdentity

    /// The role of the server.
    func role() throws(ServerError) -> ServerRole
}
