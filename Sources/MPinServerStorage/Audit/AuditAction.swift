// SPDX-License-Identifier: Apache-2.0

/// What happened, for the audit log. Never contains an M-Pin ID, a code, a one-time value or anything of a PIN.
package enum AuditAction: Sendable {
    case initialized
    /// The server began to listen.
    case started(version: String, address: String)
    case stopped(version: String)
    /// A backup replaced the database.
    case rolledBack(taken: String, isAuthenticated: Bool)
    case backedUp(withKey: Bool)
    /// - byOwner: whether a user made the invitation for another device of their own.
    case invited(until: Timestamp, byOwner: Bool)
    /// An administrator canceled the pending invitations of a user.
    case invitationsCanceled(count: Int)
    /// A registration was begun with a valid code, or without one where the configuration allows that.
    case registrationStarted(Admission)
    case registrationRestarted
    case registrationRefused(RegistrationObstacle)
    /// A registration that had never logged in was revoked, because the same code or the same device made another one.
    case replaced
    /// The mail server accepted a mail.
    case mailSent
    case mailFailed(reason: String)
    /// A registration that waited to be verified was activated.
    case activated(Proof)
    /// The first share was fetched: from now on the registration can log in.
    case enrolled(identity: [UInt8])
    /// An authority on a host of its own gave a share of a client secret.
    case clientShareGiven(identity: [UInt8]?)
    /// An authority on a host of its own gave a share of a time permit. The day is counted from 1970-01-01.
    case permitShareGiven(identity: [UInt8], day: Int)
    /// An authority on a host of its own gave its half of the server secret.
    case serverShareGiven
    /// A relying party fetched that half and stored it permanently.
    case serverShareKept(from: String)
    case login(LoginWay)
    /// Logins of a device that share a line.
    case moreLogins(SharedEvents)
    /// A wrong PIN. The last one that was allowed blocks the registration.
    case wrongPIN(left: Int)
    /// An attempt, or another request that lacked authorization, was refused.
    case refused(RefusedAttempt)
    /// Refused attempts of a source that share a line.
    case moreRefusals(SharedEvents)
    /// A login on a device was verified for a waiting session.
    case approved
    /// A login was verified and got a one-time password.
    case passwordIssued
    /// - fromDevice: how many sessions a device ended; nil if a single session was ended.
    case logout(fromDevice: Int?)
    /// A person who had the number of a session rejected the login.
    case denied
    /// A user has new backup codes.
    case backupCodesMade(batch: Int)
    /// - guessed: the kind of value that the source has guessed; nil for other limits.
    case rateLimited(guessed: GuessedValue?)
    case unblocked(devices: [Int])
    case revoked(devices: [Int], reason: String?)
    case suspended(devices: [Int], reason: String?)
    case revokedByOwner(device: Int)
    case restored(devices: [Int])
    case suspensionLifted(devices: [Int])
    /// Everything stored about a user was deleted.
    case purged
    /// The sealing key was replaced.
    case rotated
    /// A host became a node of the server, by its name.
    case joined(String)
    /// The server was moved from SQLite to this PostgreSQL database.
    case moved
    /// The sealing key was moved to another place.
    case resealed(KeyPlace)
    /// The key with which a relying party asks its second authority was replaced, here or at that authority.
    case relyingPartyKeyMade
    case relyingPartyKeyAccepted
    case hostAdded(String)
    case hostRemoved(String)
    /// The server has a CA for ssh certificates, by its fingerprint.
    case sshEnabled(fingerprint: String)
    case sshDisabled
    case sshAllowed(accounts: [String])
    case sshDenied
    case sshCertificate(SSHGrant, serial: UInt64, until: Timestamp)

    package enum Admission: Sendable {
        case code(AdmissionCode)
        case withoutCode
        /// It waits to be verified.
        case held(isSuspended: Bool)
    }

    /// Why a registration was refused, by its text in the log.
    package enum RegistrationObstacle: String, Sendable {
        case noCode = "no code"
        case invalidCode = "code not valid"
        case invalidMailCode = "mail code not valid"
        case noDeviceKey = "no device key"
        /// A client sent the code itself, which this server does not accept.
        case codeInClear = "code in the clear"
        case suspendedUser = "user suspended"
        /// The site's application refused it.
        case application = "by verify_url"
    }

    /// What verified a registration, by its text in the log.
    package enum Proof: String, Sendable {
        /// The digits of a mail.
        case digits
        case link
        case application = "by the application"
    }

    package enum LoginWay: Sendable {
        case device
        case oneTimePassword
        /// On a device, for a session elsewhere.
        case approval(source: String, host: String?)
    }

    package enum RefusedAttempt: Sendable {
        case revoked
        case blocked
        /// The registration has no device key, and the setting `legacy` does not accept such registrations.
        case withoutKey(device: Int)
        case oneTimePassword
        /// A question to an authority that its relying party has not signed.
        case unsignedQuestion
    }

    /// A value that a source may guess only so often, by its text in the log.
    package enum GuessedValue: String, Sendable {
        case accessNumber = "access numbers"
        case oneTimePassword = "one-time passwords"
    }

    package struct SharedEvents: Sendable {
        let count: Int
        let first: Timestamp
        let last: Timestamp

        package init(count: Int, first: Timestamp, last: Timestamp) {
            (self.count, self.first, self.last) = (count, first, last)
        }
    }
}

package struct AuditEvent: Sendable {
    /// A random number, so that a repeated write changes nothing.
    let key = Int64.random(in: .min ... .max)
    package let time: Timestamp
    package let action: AuditAction
    package let user: String?
    /// Where it came from: a peer's user id or address.
    package let source: String?
    /// Who did it: a user ID, or `uid N` for a command.
    package let actor: String?

    package init(
        _ action: AuditAction, at time: Timestamp, user: String? = nil, source: String? = nil, actor: String? = nil
    ) {
        (self.time, self.action, self.user, self.source) = (time, action, user, source)
        self.actor = actor
    }
}

/// A line of the audit log as it was written, possibly by another version of the server.
package struct AuditLine: Sendable {
    package let time: Timestamp
    package let kind: AuditKind
    package let user: String?
    package let source: String?
    package let actor: String?
    /// A text for people. The server does not parse it.
    package let detail: String?
}
