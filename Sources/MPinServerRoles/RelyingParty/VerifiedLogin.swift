// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage

/// A login with the right PIN, direct or by two passes.
struct VerifiedLogin: Sendable {
    let user: String
    /// SHA-256 of the M-Pin ID.
    let registration: [UInt8]
    let history: AttemptHistory
    let source: RequestSource
    /// The source to which wrong access numbers are charged: that of the request, or the device if it has signed.
    let guesser: RequestSource

    /// The event for an action of this login.
    func event(_ action: AuditAction, at now: Timestamp) -> AuditEvent {
        AuditEvent(action, at: now, user: user, source: source.text, actor: user)
    }
}
