// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage

/// The verdict on a login.
enum LoginVerdict: Sendable, Equatable {
    /// The right PIN.
    case right(user: String, AttemptHistory)
    /// The wrong PIN, and how many tries are left; 0 after the last one.
    case wrong(attemptsLeft: Int)
    /// The identity is not registered.
    case unregistered
    /// Not verified: no tries were left.
    case blocked
    /// Not verified: the registration is revoked.
    case revoked
}
