/// The durable state of a server, which several processes may use at once.
///
/// Each operation is one transaction with its conditions inside, and what it writes is durable when it returns, unless it
/// says otherwise. Nothing is cached: what an administrator's command changes while the server runs applies to the next
/// request.
package protocol ServerStorage: IdentityStorage, KeyStorage, RegistrationStorage, AttemptStorage, CodeStorage,
    MailStorage,
    UserStorage, HostStorage, AuditStorage
{
    /// Where it is, for messages: the path of a database.
    var place: String { get }
    /// How many writes wait for a commit.
    var waitingWrites: Int { get }

    /// Deletes all expired registrations and commitments, a limited number in one transaction.
    ///
    /// - Parameter oldestEvent: events of the audit log before this time are deleted as well; nil keeps all.
    func purgeExpired(now: Timestamp, oldestEvent: Timestamp?) throws(ServerError)
    /// Ends its use by this process.
    func close() throws(ServerError)
}
