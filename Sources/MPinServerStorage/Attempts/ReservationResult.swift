/// The outcome of asking for a reservation.
package enum ReservationResult: Sendable {
    case reserved(Reservation)
    /// No registration that can log in.
    case unregistered
    /// One that can, and that this attempt is not signed for, or that the server takes no more.
    case unsigned(UnsignedAttempt, user: String)
    case revoked(user: String)
    /// Wrong PINs fill the limit.
    case blocked(user: String)
    /// Wrong PINs and attempts in progress fill it.
    case full
    /// The time of a direct login is not after the horizon.
    case stale(horizon: Int64)
    /// The commitment of a direct login was used before.
    case replayed
}
