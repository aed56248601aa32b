// SPDX-License-Identifier: Apache-2.0

/// The kinds of audit events. The names are stable.
package enum AuditKind: String, Sendable, CaseIterable {
    case initialized = "init"
    /// The server began to listen.
    case started = "start"
    case stopped = "stop"
    /// A backup replaced the database.
    case rolledBack = "restore-backup"
    case backedUp = "backup"
    case invited = "invite"
    /// A registration was begun with a valid code, or without one where the configuration allows that.
    case registrationStarted = "register"
    case registrationRestarted = "register-again"
    case registrationRefused = "register-refused"
    /// A registration that had never logged in was revoked, because the same code or the same device made another one.
    case replaced = "replace"
    /// The mail server accepted a mail.
    case mailSent = "mail"
    case mailFailed = "mail-failed"
    /// A registration that waited to be verified was activated.
    case activated = "activate"
    /// The first share was fetched: from now on the registration can log in.
    case enrolled = "enroll"
    /// A registration without a device key got one.
    case keyBound = "device-key"
    /// An authority on a host of its own gave a share of a client secret.
    case clientShareGiven = "client-share"
    /// An authority on a host of its own gave a share of a time permit.
    case permitShareGiven = "permit-share"
    /// An authority on a host of its own gave its half of the server secret.
    case serverShareGiven = "server-share"
    /// A relying party fetched that half and stored it permanently.
    case serverShareKept = "server-share-kept"
    case login = "login"
    case wrongPIN = "wrong-pin"
    /// The last wrong PIN that was allowed.
    case blocked = "block"
    /// An attempt at a registration that is blocked or revoked, or that lacked the signature of its device.
    case refused = "refused"
    /// A login on a device was verified for a waiting session.
    case approved = "approve"
    /// A login was verified and got a one-time password.
    case passwordIssued = "otp"
    case logout
    /// A person who had the number of a session rejected the login.
    case denied = "deny"
    /// A user has new backup codes.
    case backupCodesMade = "backup-codes"
    case rateLimited = "throttle"
    case unblocked = "unblock"
    case revoked = "revoke"
    case restored = "restore"
    /// Everything stored about a user was deleted.
    case purged = "purge"
    /// The sealing key was replaced.
    case rotated = "rotate"
    /// The sealing key was moved to another place.
    case resealed = "reseal"
    /// The server got the key with which it proves itself.
    case serverKey = "server-key"
    /// The key with which a relying party asks its second authority was replaced.
    case relyingPartyKey = "relying-party-key"
    case hostAdded = "host-add"
    case hostRemoved = "host-remove"
}
