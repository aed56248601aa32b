/// An attempt that may be verified: it is on the disk, and counts until it is settled.
struct Reservation: Sendable {
    /// Never given to another attempt.
    let id: Int64
    let registration: Int64
    let user: String
    /// All wrong PINs of the registration until then.
    let wrong: Int
    /// What is said of them, should this attempt be right.
    let history: AttemptHistory
    /// Whether a right PIN changes nothing but the reservation.
    let isClean: Bool
    /// How many more wrong PINs there may be, were this attempt a wrong one.
    let left: Int
}
