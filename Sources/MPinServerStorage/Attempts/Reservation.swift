// SPDX-License-Identifier: Apache-2.0

/// An attempt that may be verified: it is on the disk, and counts until it is settled.
package struct Reservation: Sendable {
    /// Never given to another attempt.
    let id: Int64
    let registration: Int64
    package let user: String
    /// All wrong PINs of the registration before this attempt.
    let wrong: Int
    /// What the answer reports about them if this attempt is right.
    package let history: AttemptHistory
    /// Whether a right PIN changes nothing but the reservation.
    package let isClean: Bool
    /// How many more wrong PINs there may be if this attempt is wrong.
    package let left: Int
}
