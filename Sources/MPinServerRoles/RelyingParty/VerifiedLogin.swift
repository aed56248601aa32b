internal import MPinServerStorage

/// A login with the right PIN, whichever way it came.
struct VerifiedLogin: Sendable {
    let user: String
    /// SHA-256 of the M-Pin ID.
    let registration: [UInt8]
    let history: AttemptHistory
    let source: RequestSource
    /// Whom wrong access numbers are charged to: the source, or the device where that has signed.
    let guesser: RequestSource

    /// What the audit log is told of something that was done with it.
    func event(_ action: AuditAction, at now: Timestamp) -> AuditEvent {
        AuditEvent(action, at: now, user: user, source: source.text, actor: user)
    }
}
