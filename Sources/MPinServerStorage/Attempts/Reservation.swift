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

/// The wrong PINs of a registration, as an answer to a right PIN reports them.
package struct AttemptHistory: Sendable, Equatable {
    /// How many there were since the last login.
    package let wrongBefore: Int
    /// How many more there may be. Nil unless the limit of the last days leaves fewer than the limit in a row, or only
    /// one.
    ///
    /// The client stores it, so that it can warn the owner before the last try.
    package let left: Int?
}

/// The outcome of asking for a reservation.
package enum ReservationResult: Sendable {
    case reserved(Reservation)
    /// No registration that can log in.
    case unregistered
    /// The registration has no device key, and the setting `legacy` does not accept such registrations. The attempt is
    /// answered as if there were no registration. Only administrators see the reason.
    case withoutKey(device: Int, user: String)
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
