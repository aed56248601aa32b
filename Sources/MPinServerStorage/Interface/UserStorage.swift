// SPDX-License-Identifier: Apache-2.0

/// Users: what administrators and the users themselves see and change.
package protocol UserStorage: Sendable {
    /// All users in the order of their names, or only the user of that name.
    func users(named name: String?, limits: AttemptLimits, now: Int64) throws(ServerError) -> [UserRecord]

    /// How many users have a device that is blocked.
    func blockedUsers(limits: AttemptLimits, now: Int64) throws(ServerError) -> Int

    /// The suspension because of which this user ID needs an invitation to register: of the user, or of another user ID
    /// of the same mailbox, whose owner would read the mails.
    func suspension(barring user: String) throws(ServerError) -> Suspension?

    /// Forgets the wrong PINs of a user: of all blocked devices that are not revoked, or of one device, blocked or not.
    ///
    /// - Parameter event: the event for the audit log, given the numbers of the devices.
    func unblock(
        _ user: String, device: Int?, limits: AttemptLimits, now: Int64, event: @Sendable ([Int]) -> AuditEvent
    ) throws(ServerError) -> DeviceChange

    /// Revokes all registrations and invitations of a user, and suspends the user.
    func suspendUser(
        _ user: String, reason: String?, now: Int64, event: @Sendable ([Int]) -> AuditEvent
    ) throws(ServerError) -> DeviceChange

    /// Revokes one registration of a user. If it was revoked with the user, restoring the user no longer restores it.
    func revokeDevice(
        _ device: Int, of user: String, reason: String?, now: Int64, event: AuditEvent
    ) throws(ServerError) -> DeviceChange

    /// Undoes the last revocation of a user: restores the registrations that it revoked, and lifts the suspension.
    ///
    /// - Returns: no changes if the user is not suspended.
    func restoreUser(_ user: String, event: @Sendable ([Int]) -> AuditEvent) throws(ServerError) -> DeviceChange

    /// Restores one registration, unless its owner revoked it.
    func restoreDevice(_ device: Int, of user: String, now: Int64, event: AuditEvent) throws(ServerError)
        -> DeviceChange

    /// Revokes one registration of a user by its number, and deletes the codes that it has made.
    ///
    /// - Returns: its number; nil if the owner does not see such a registration. One that was revoked before does not
    ///   change.
    func revokeOwnDevice(_ device: Int, of user: String, now: Int64, event: AuditEvent) throws(ServerError) -> Int?

    /// Deletes everything that is stored about a user. The audit log keeps the times and kinds of the user's events
    /// under a pseudonym, without their sources and details.
    ///
    /// - Parameters:
    ///   - mailbox: the mailbox that the user ID names; nil for other user IDs.
    ///   - event: the event for the audit log.
    /// - Returns: nil if nothing is stored about such a user.
    func purgeUser(
        _ user: String, mailbox: String?, as pseudonym: String, event: AuditEvent
    ) throws(ServerError) -> PurgedUser?

    /// Replaces the user with the pseudonym in events that were written later, because a running server writes its
    /// events with a delay.
    func forgetUser(_ user: String, as pseudonym: String) throws(ServerError) -> Int
}

/// What was deleted about a user.
package struct PurgedUser: Sendable {
    package let registrations: Int
    package let invitations: Int
    package let wasSuspended: Bool
    /// How many events of the audit log have a pseudonym now.
    package let events: Int
}

/// The outcome of an administrator's change of a user's devices.
package enum DeviceChange: Sendable {
    case none
    case noDevice
    /// The device is in a state that the change does not apply to.
    case unfit(RegistrationEntry)
    /// The numbers of the changed devices.
    case changed([Int])
}

/// The suspension of a user. An administrator has withdrawn the user, and not only the registrations at that time.
package struct Suspension: Sendable {
    let time: Timestamp
    package let reason: String?
}
