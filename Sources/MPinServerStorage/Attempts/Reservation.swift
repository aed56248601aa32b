/// An attempt that may be verified: it is on the disk, and counts until it is settled.
package struct Reservation: Sendable {
    /// Never given to another attempt.
    package let id: Int64
    package let registration: Int64
    package let user: String
    /// All wrong PINs of the registration until then.
    package let wrong: Int
    /// What is said of them, should this attempt be right.
    package let history: AttemptHistory
    /// Whether a right PIN changes nothing but the reservation.
    package let isClean: Bool
    /// How many more wrong PINs there may be, were this attempt a wrong one.
    package let left: Int
}
