/// Registrations, and the keys of their devices.
package protocol RegistrationStorage: Sendable {
    /// The registration of an M-Pin ID, by the ID's SHA-256.
    func registration(_ hash: [UInt8]) throws(ServerError) -> RegistrationRecord?

    /// Makes a registration and, in the same transaction, uses up the code that came with it. Of a suspended user nothing
    /// is activated but by a code.
    ///
    /// - Parameter code: the keyed hash of the code; nil where none is needed.
    /// - Returns: the state it has now; nil, and nothing changed, when the code is not good for this user now.
    func addRegistration(
        _ new: NewRegistration, code: AdmissionCode?, event: AuditEvent
    ) throws(ServerError) -> AddedRegistration?

    /// Begins a registration again under the M-Pin ID and one-time token it had.
    ///
    /// - Parameters:
    ///   - code: the keyed hash of a code that activates it; nil leaves its state as it is.
    ///   - activates: whether it becomes active without a code.
    ///   - userData: JSON in place of what came before; nil leaves it.
    /// - Returns: whether it is active now; nil, and nothing changed, when the code is not good for this user.
    func restartRegistration(
        _ hash: [UInt8], code: AdmissionCode?, activates: Bool, device: String, userData: String?, now: Int64,
        expires: Int64, event: AuditEvent
    ) throws(ServerError) -> Bool?

    /// Notes that the first share is about to be delivered: the registration can log in from now on.
    ///
    /// - Returns: false, and nothing changed, when it has expired, or it or its user was revoked meanwhile.
    func deliverSecret(_ hash: [UInt8], now: Int64, event: AuditEvent) throws(ServerError) -> Bool

    /// Revokes one registration of a user. Nil when there is none of that hash and user; false when it was revoked.
    ///
    /// - Parameter event: what the audit log is told, by the number of the registration.
    func revokeRegistration(
        _ hash: [UInt8], user: String, now: Int64, event: @Sendable (Int) -> AuditEvent
    ) throws(ServerError) -> Bool?

    /// Revokes a registration that has a key and was never used, not even with a wrong PIN, and makes another one in its
    /// place. The code that has made the old one has made the new one from then on, so that no code leads to two.
    ///
    /// - Parameter event: what the audit log is told beside the replacement.
    /// - Returns: the number of the new one; nil, and nothing changed, when the old one cannot be replaced.
    func replaceRegistration(_ old: [UInt8], by new: NewRegistration, event: AuditEvent) throws(ServerError) -> Int?

    /// The key of a registration, in one read, which costs nearly as much for one that is unknown.
    func signer(_ hash: [UInt8]) throws(ServerError) -> Signer

    /// Gives a registration a key, once.
    ///
    /// - Parameter event: what the audit log is told, by the number of the registration.
    func bindKey(
        _ key: [UInt8], to hash: [UInt8], limits: AttemptLimits, event: @Sendable (Int) -> AuditEvent
    ) throws(ServerError) -> KeyBinding

    /// How many registrations in force have no key.
    func countRegistrationsWithoutKey() throws(ServerError) -> Int
}
