internal import MPinServerStorage

/// The verdict on one pass 2.
enum LoginVerdict: Sendable, Equatable {
    /// The right PIN.
    case right(user: String, AttemptHistory)
    /// The wrong PIN; so many tries are left, none after the last.
    case wrong(attemptsLeft: Int)
    /// The identity is not registered.
    case unregistered
    /// Not verified: no tries were left.
    case blocked
    /// Not verified: the registration is revoked.
    case revoked
}
