// SPDX-License-Identifier: Apache-2.0
extension AuditAction {
    /// What admitted a registration.
    package enum Admission: Sendable {
        case code(AdmissionCode)
        case withoutCode
        /// It waits to be verified.
        case held(isSuspended: Bool)
    }

    /// Why a registration was refused.
    package enum RegistrationObstacle: Sendable {
        case noCode
        case invalidCode
        case invalidMailCode
        case noDeviceKey
        /// A client sent the code itself, which this server does not accept.
        case codeInClear
        case suspendedUser
        /// The site's application refused it.
        case application
    }

    /// What verified a registration.
    package enum Proof: Sendable {
        /// The digits of a mail.
        case digits
        case link
        case application
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
        case unsigned(UnsignedAttempt)
        case oneTimePassword
        /// A question to an authority that its relying party has not signed.
        case unsignedQuestion
    }

    /// A value that a source may guess only so often.
    package enum GuessedValue: Sendable {
        case accessNumber
        case oneTimePassword
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
