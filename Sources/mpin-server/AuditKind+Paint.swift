// SPDX-License-Identifier: Apache-2.0
import Console
import MPinServerStorage

extension AuditKind {
    /// The color of an event: red if something failed or was withdrawn, yellow if something is not finished, green if a
    /// user can log in. Nil for other events.
    var paint: Display.Paint? {
        switch self {
        case .registrationRefused, .mailFailed, .wrongPIN, .blocked, .refused, .denied, .rateLimited, .revoked,
            .rolledBack:
            .red
        case .invited, .registrationStarted, .registrationRestarted, .mailSent, .activated: .yellow
        case .enrolled, .login, .approved, .unblocked, .restored: .green
        default: nil
        }
    }

    /// The number of characters of the longest name.
    static let longestName = allCases.map(\.rawValue.count).max() ?? 0
}
