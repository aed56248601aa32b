// SPDX-License-Identifier: Apache-2.0

/// Registrations, and the keys of their devices.
package protocol RegistrationStorage: Sendable {
    /// Whether at least so many registrations are unfinished and have not expired.
    func hasUnfinishedRegistrations(_ count: Int, now: Int64) throws(ServerError) -> Bool

    /// The registration of an M-Pin ID, by the ID's SHA-256.
    func registration(_ hash: [UInt8]) throws(ServerError) -> RegistrationEntry?

    /// Makes a registration and consumes its code in the same transaction. A registration of a suspended user becomes
    /// active only with an administrator's invitation.
    ///
    /// - Parameter code: the keyed hash of the code; nil if none is needed.
    /// - Returns: the registration; nil, and nothing changed, if the code is not valid for this user now.
    func addRegistration(
        _ new: NewRegistration, code: AdmissionCode?, event: AuditEvent
    ) throws(ServerError) -> AddedRegistration?

    /// Restarts a registration under its M-Pin ID and one-time token.
    ///
    /// - Parameters:
    ///   - code: the keyed hash of a code that activates it; nil keeps its state.
    ///   - activates: whether it becomes active without a code.
    ///   - userData: JSON that replaces the stored data; nil keeps it.
    /// - Returns: whether it is active now; nil, and nothing changed, if the code is not valid for this user.
    func restartRegistration(
        _ hash: [UInt8], code: AdmissionCode?, activates: Bool, device: String, userData: String?, now: Int64,
        expires: Int64, event: AuditEvent
    ) throws(ServerError) -> Bool?

    /// Records that the first share is about to be delivered. From now on the registration can log in.
    ///
    /// - Returns: false, and nothing changed, if it has expired, or if the registration or its user has been revoked.
    func deliverSecret(_ hash: [UInt8], now: Int64, event: AuditEvent) throws(ServerError) -> Bool

    /// Revokes one registration of a user.
    ///
    /// - Parameter event: the event for the audit log, given the number of the registration.
    /// - Returns: nil if the user has no such registration; false if it was revoked before.
    func revokeRegistration(
        _ hash: [UInt8], user: String, now: Int64, event: @Sendable (Int) -> AuditEvent
    ) throws(ServerError) -> Bool?

    /// Revokes a registration that has a key and was never used, not even with a wrong PIN, and replaces it with
    /// another one. The code that made the old registration then belongs to the new one, so that no code leads to two
    /// registrations.
    ///
    /// - Parameter event: an event for the audit log besides the replacement.
    /// - Returns: the number of the new registration; nil, and nothing changed, if the old one cannot be replaced.
    func replaceRegistration(_ old: [UInt8], by new: NewRegistration, event: AuditEvent) throws(ServerError) -> Int?

    /// The key of a registration. One read, which takes nearly as long for an unknown registration.
    func signer(_ hash: [UInt8]) throws(ServerError) -> Signer

    /// The number of valid registrations without a key.
    func countRegistrationsWithoutKey() throws(ServerError) -> Int
}
