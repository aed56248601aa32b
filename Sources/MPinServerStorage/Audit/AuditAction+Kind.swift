// SPDX-License-Identifier: Apache-2.0
extension AuditAction {
    /// The name of the action in the audit log.
    package var kind: AuditKind {
        switch self {
        case .initialized: .initialized
        case .started: .started
        case .stopped: .stopped
        case .rolledBack: .rolledBack
        case .backedUp: .backedUp
        case .invited: .invited
        case .registrationStarted: .registrationStarted
        case .registrationRestarted: .registrationRestarted
        case .registrationRefused: .registrationRefused
        case .replaced: .replaced
        case .mailSent: .mailSent
        case .mailFailed: .mailFailed
        case .activated: .activated
        case .enrolled: .enrolled
        case .clientShareGiven: .clientShareGiven
        case .permitShareGiven: .permitShareGiven
        case .serverShareGiven: .serverShareGiven
        case .serverShareKept: .serverShareKept
        case .login, .moreLogins: .login
        case .wrongPIN(let left, _): left == 0 ? .blocked : .wrongPIN
        case .refused: .refused
        case .approved: .approved
        case .passwordIssued: .passwordIssued
        case .logout: .logout
        case .denied: .denied
        case .backupCodesMade: .backupCodesMade
        case .rateLimited, .moreRefusals: .rateLimited
        case .unblocked: .unblocked
        case .revoked, .suspended, .revokedByOwner: .revoked
        case .restored, .suspensionLifted: .restored
        case .purged: .purged
        case .rotated: .rotated
        case .resealed: .resealed
        case .relyingPartyKeyMade, .relyingPartyKeyAccepted: .relyingPartyKey
        case .hostAdded: .hostAdded
        case .hostRemoved: .hostRemoved
        }
    }
}
