/// The kinds of audit events. The names are stable.
package enum AuditKind: String, Sendable, CaseIterable {
    case initialized = "init"
    /// The server began to listen.
    case started = "start"
    case stopped = "stop"
    /// A backup took the place of the database.
    case rolledBack = "restore-backup"
    /// A backup was taken.
    case backedUp = "backup"
    case invited = "invite"
    /// A registration was begun with a valid code, or without one where the configuration allows that.
    case registrationStarted = "register"
    case registrationRestarted = "register-again"
    case registrationRefused = "register-refused"
    /// A registration that had never logged in was revoked for another one, made with the same code or by the same device.
    case replaced = "replace"
    /// The mail server took a mail.
    case mailSent = "mail"
    case mailFailed = "mail-failed"
    /// A registration that waited for its mail was activated.
    case activated = "activate"
    /// The first share was fetched: from now on the registration can log in.
    case enrolled = "enroll"
    /// A registration without a key of a device has got one.
    case keyBound = "device-key"
    /// An authority by itself has given a share of a client secret.
    case clientShareGiven = "client-share"
    /// An authority by itself has given a share of a time permit.
    case permitShareGiven = "permit-share"
    /// An authority by itself has given its half of the server secret.
    case serverShareGiven = "server-share"
    /// A relying party has fetched that half, for good.
    case serverShareKept = "server-share-kept"
    case login = "login"
    case wrongPIN = "wrong-pin"
    /// A wrong PIN was the last that was allowed.
    case blocked = "block"
    /// An attempt at a registration that is blocked or revoked, or that its device would have had to sign.
    case refused = "refused"
    /// A login on a device was verified for a waiting session.
    case approved = "approve"
    /// A login was verified and got a one-time password.
    case passwordIssued = "otp"
    case logout
    /// A person who had the number of a session wants no login there.
    case denied = "deny"
    /// A user has new backup codes.
    case backupCodesMade = "backup-codes"
    case rateLimited = "throttle"
    case unblocked = "unblock"
    case revoked = "revoke"
    case restored = "restore"
    /// All that was kept of a user was deleted.
    case purged = "purge"
    /// The sealing key was replaced.
    case rotated = "rotate"
    /// The sealing key was put into another place.
    case resealed = "reseal"
    /// The key with which a relying party asks its second authority was replaced.
    case relyingPartyKey = "relying-party-key"
    case hostAdded = "host-add"
    case hostRemoved = "host-remove"
}
