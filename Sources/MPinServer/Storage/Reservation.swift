/// An attempt that may be verified: it is on the disk, and counts until it is settled.
struct Reservation: Sendable {
    /// Never given to another attempt.
    let id: Int64
    let registration: Int64
    let user: String
    /// All wrong PINs of the registration until then.
    let wrong: Int
    /// Those of them that came after its last login.
    let unseen: Int
    /// Whether a right PIN changes nothing but the reservation.
    let isClean: Bool
    /// How many more wrong PINs there may be, were this attempt a wrong one.
    let left: Int
}

/// The outcome of asking for a reservation.
enum ReservationResult: Sendable {
    case reserved(Reservation)
    /// No registration that can log in.
    case unregistered
    case revoked(user: String)
    /// Wrong PINs fill the limit.
    case blocked(user: String)
    /// Wrong PINs and attempts in progress fill it.
    case full
    /// Refused, as the client has asked: it could be the last attempt before a block, or attempts with that wish have used
    /// up their share of the longer limit. So many are left.
    case kept(left: Int)
}
