// SPDX-License-Identifier: Apache-2.0

/// The outcome of asking for a reservation.
package enum ReservationResult: Sendable {
    case reserved(Reservation)
    /// No registration that can log in.
    case unregistered
    /// The registration can log in, but this attempt lacks its signature, or the server no longer accepts such
    /// attempts.
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
