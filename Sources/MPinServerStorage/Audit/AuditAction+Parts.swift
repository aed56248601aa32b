// SPDX-License-Identifier: Apache-2.0
extension AuditAction {
    /// What admitted a registration.
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

    /// Why a request was refused.
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

    /// Events that share a line.
    package struct SharedEvents: Sendable {
        let count: Int
        let first: Timestamp
        let last: Timestamp

        package init(count: Int, first: Timestamp, last: Timestamp) {
            (self.count, self.first, self.last) = (count, first, last)
        }
    }
}
