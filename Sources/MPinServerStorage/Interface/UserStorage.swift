/// Users, as administrators and they themselves see and change them.
package protocol UserStorage: Sendable {
    /// All users, or the one of that name, in the order of their names.
    func users(named name: String?, limits: AttemptLimits, now: Int64) throws(ServerError) -> [UserRecord]

    /// How many users have a device that wrong PINs block.
    func blockedUsers(limits: AttemptLimits, now: Int64) throws(ServerError) -> Int

    /// Why this user ID needs an invitation to register: the user is suspended, or a user ID of the same mailbox is,
    /// whose owner would read the mails.
    func suspension(barring user: String) throws(ServerError) -> Suspension?

    /// Forgets the wrong PINs of the blocked devices of a user that are not revoked, or of one device, blocked or not.
    ///
    /// - Parameter event: what the audit log is told, by the numbers of the devices.
    func unblock(
        _ user: String, device: Int?, limits: AttemptLimits, now: Int64, event: @Sendable ([Int]) -> AuditEvent
    ) throws(ServerError) -> DeviceChange

    /// Revokes every registration and invitation that a user has now, and suspends the user.
    func suspendUser(
        _ user: String, reason: String?, now: Int64, event: @Sendable ([Int]) -> AuditEvent
    ) throws(ServerError) -> DeviceChange

    /// Revokes one registration of a user. One that was revoked with the user is from now on revoked by itself as well.
    func revokeDevice(
        _ device: Int, of user: String, reason: String?, now: Int64, event: AuditEvent
    ) throws(ServerError) -> DeviceChange

    /// Takes the last revocation of a user back: what it revoked, and the suspension.
    ///
    /// - Returns: nothing changed for a user who is not suspended.
    func restoreUser(_ user: String, event: @Sendable ([Int]) -> AuditEvent) throws(ServerError) -> DeviceChange

    /// Lifts the revocation of one registration, unless its owner revoked it.
    func restoreDevice(_ device: Int, of user: String, now: Int64, event: AuditEvent) throws(ServerError)
        -> DeviceChange

    /// Revokes one registration of a user, by its number, and ends the codes that it has made.
    ///
    /// - Returns: its number; nil when there is none that its owner is shown. One that was revoked already stays as it is.
    func revokeOwnDevice(_ device: Int, of user: String, now: Int64, event: AuditEvent) throws(ServerError) -> Int?

    /// Deletes all that is kept of a user, and keeps the user's lines of the audit log under a pseudonym: what happened
    /// when, and neither from where nor anything that was written about it.
    ///
    /// - Parameters:
    ///   - mailbox: the mailbox that the user ID names; nil for other user IDs.
    ///   - event: what the audit log is told of it.
    /// - Returns: nil when nothing is kept of such a user.
    func purgeUser(
        _ user: String, mailbox: String?, as pseudonym: String, event: AuditEvent
    ) throws(ServerError) -> PurgedUser?

    /// Puts the pseudonym into lines of the audit log that came later: a server that runs writes its lines with a delay.
    func forgetUser(_ user: String, as pseudonym: String) throws(ServerError) -> Int
}
