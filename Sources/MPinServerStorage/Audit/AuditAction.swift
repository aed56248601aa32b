/// What an audit event is about, with what is known of it. Never holds an M-Pin ID, a code, a one-time value or anything of a
/// PIN.
package enum AuditAction: Sendable {
    case initialized
    /// The server began to listen.
    case started(version: String, address: String)
    case stopped(version: String)
    /// A backup took the place of the database.
    ///
    /// - before: what the database from before is kept as; nil where there was none.
    case rolledBack(taken: String, isAuthenticated: Bool, before: String?)
    /// A backup was taken.
    case backedUp(withKey: Bool)
    /// - byOwner: whether a user has made the invitation, for another device.
    case invited(until: Timestamp, byOwner: Bool)
    /// A registration was begun with a valid code, or without one where the configuration allows that.
    case registrationStarted(Admission)
    case registrationRestarted
    case registrationRefused(RegistrationObstacle)
    /// A registration that had never logged in was revoked for another one, made with the same code or by the same device.
    case replaced
    /// The mail server took a mail.
    case mailSent
    case mailFailed(reason: String)
    /// A registration that waited to be verified was activated.
    case activated(Proof)
    /// The first share was fetched: from now on the registration can log in.
    case enrolled(identity: [UInt8])
    /// A registration without a key of a device has got one.
    case keyBound(device: Int)
    /// An authority by itself has given a share of a client secret.
    case clientShareGiven(identity: [UInt8]?)
    /// An authority by itself has given a share of a time permit, for a day since 1970.
    case permitShareGiven(identity: [UInt8], day: Int)
    /// An authority by itself has given its half of the server secret.
    case serverShareGiven
    /// A relying party has fetched that half, for good.
    case serverShareKept(from: String)
    case login(LoginWay)
    /// Logins of a device that share a line.
    case moreLogins(SharedEvents)
    /// A wrong PIN. The last one that was allowed blocks the registration.
    ///
    /// - wasCutOff: whether the server ended before the PIN was verified.
    case wrongPIN(left: Int, wasCutOff: Bool)
    /// An attempt that was refused, or another request that showed no right to it.
    case refused(RefusedAttempt)
    /// Refused attempts of a source that share a line.
    case moreRefusals(SharedEvents)
    /// A login on a device was verified for a waiting session.
    case approved
    /// A login was verified and got a one-time password.
    case passwordIssued
    /// - fromDevice: how many sessions a device has ended; nil where one was ended by itself.
    case logout(fromDevice: Int?)
    /// A person who had the number of a session wants no login there.
    case denied
    /// A user has new backup codes.
    case backupCodesMade(batch: Int)
    /// - guessed: what the source has guessed; nil for other limits.
    case rateLimited(guessed: GuessedValue?)
    case unblocked(devices: [Int])
    case revoked(devices: [Int], reason: String?)
    case suspended(devices: [Int], reason: String?)
    /// A user has revoked a device of their own.
    case revokedByOwner(device: Int)
    case restored(devices: [Int])
    case suspensionLifted(devices: [Int])
    /// All that was kept of a user was deleted.
    case purged
    /// The sealing key was replaced.
    case rotated
    /// The sealing key was put into another place.
    case resealed(KeyPlace)
    /// The key with which a relying party asks its second authority was replaced: here, or at that authority.
    case relyingPartyKeyMade
    case relyingPartyKeyAccepted
    case hostAdded(String)
    case hostRemoved(String)
}
