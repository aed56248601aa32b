/// The verdict on one pass 2.
enum LoginVerdict: Sendable, Equatable {
    /// The right PIN, after so many wrong ones since the last login.
    case right(user: String, wrongBefore: Int)
    /// The wrong PIN; so many tries are left, none after the last.
    case wrong(attemptsLeft: Int)
    /// The identity is not registered.
    case unregistered
    /// Not verified: no tries were left.
    case blocked
    /// Not verified: the registration is revoked.
    case revoked

    /// How many wrong PINs there were since the last login; nil unless this is one.
    var wrongBefore: Int? { if case .right(_, let count) = self { count } else { nil } }
}
