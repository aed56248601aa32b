/// The codes that admit registrations, by their keyed hashes. A registration that is added or restarted with a code
/// consumes it in its own transaction.
package protocol CodeStorage: Sendable {
    /// Keeps an invitation.
    ///
    /// - Parameters:
    ///   - code: the keyed hash of its code.
    ///   - maker: the hash of the registration whose owner has made it, in place of an unused one of before; nil for
    ///     an administrator's.
    /// - Returns: false, and nothing changed, when the maker may make none any more.
    func addInvitation(
        _ code: [UInt8], user: String, now: Int64, expires: Int64, maker: [UInt8]?, event: AuditEvent
    ) throws(ServerError) -> Bool

    /// The first of some hashes that an invitation has.
    func knownInvitation(amongst hashes: [[UInt8]]) throws(ServerError) -> [UInt8]?

    /// Keeps the codes of a batch, which are not good yet, in place of others that were never confirmed.
    ///
    /// - Parameters:
    ///   - batch: a number that no other batch of the user has had: a confirmation must not mean another one's codes.
    ///   - maker: the hash of the registration whose owner makes them.
    /// - Returns: false, and nothing changed, when the maker may make none any more.
    func addBackupCodes(
        _ hashes: [[UInt8]], batch: Int, user: String, maker: [UInt8], now: Int64
    ) throws(ServerError) -> Bool

    /// Makes the codes of a batch good, and those of before good no more.
    ///
    /// - Parameter maker: the hash of the registration that confirms them, which has to have made them.
    /// - Returns: how many are good now; nil, and nothing changed, when there is no such batch.
    func confirmBackupCodes(
        _ batch: Int, user: String, maker: [UInt8], now: Int64, event: AuditEvent
    ) throws(ServerError) -> Int?
}
