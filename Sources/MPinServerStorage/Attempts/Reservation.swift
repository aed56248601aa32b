// SPDX-License-Identifier: Apache-2.0

/// An attempt that may be verified: it is on the disk, and counts until it is settled or expires.
package struct Reservation: Sendable {
    /// Never given to another attempt.
    let lease: Int64
    let registration: Int64
    /// SHA-256 of the M-Pin ID.
    package let hash: [UInt8]
    package let user: String
    /// All wrong PINs of the registration before this attempt.
    package let wrong: Int
    /// What the answer reports about them if this attempt is right.
    package let history: AttemptHistory
    /// Whether a right PIN changes nothing but the reservation.
    let isClean: Bool
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
    /// The time of a direct login is not after this one, the horizon or the floor of the registration.
    case stale(latest: Int64)
    /// The commitment of a direct login was used before.
    case replayed
}

/// How an attempt arrived. A registration with a key accepts only what its device has signed, and one without a key
/// only unsigned attempts.
package enum AttemptOrigin: Sendable {
    /// By two passes, which any client can send.
    ///
    /// - isTaken: whether the server still accepts such logins.
    case twoPasses(isTaken: Bool)
    /// Signed by the device.
    case direct(SignedCommitment)

    /// The key that the registration must have.
    var key: [UInt8]? { commitment?.key }

    var commitment: SignedCommitment? { if case .direct(let commitment) = self { commitment } else { nil } }

    var isTaken: Bool { if case .twoPasses(let isTaken) = self { isTaken } else { true } }
}

/// The commitment of a direct login whose signature is valid.
package struct SignedCommitment: Sendable {
    /// The key that has signed it, 65 bytes.
    let key: [UInt8]
    /// SHA-256 of U.
    let hash: [UInt8]
    /// Milliseconds since 1970-01-01 UTC, as the device has signed it.
    let time: Int64

    package init(key: [UInt8], hash: [UInt8], time: Int64) { (self.key, self.hash, self.time) = (key, hash, time) }
}

/// What a write survives once it has returned.
package enum Durability: Sendable {
    /// A power failure.
    case disk
    /// The end of the process. For writes without which an earlier durable write only lasts until it expires.
    case process
}

/// How many wrong PINs a registration may have before it is blocked.
package struct AttemptLimits: Sendable {
    /// Since the last right one.
    package let inARow: Int
    /// In the last days, regardless of right PINs between them.
    package let recent: Int
    /// How many days those are.
    package let days: Int

    package init(inARow: Int, recent: Int, days: Int) { (self.inARow, self.recent, self.days) = (inARow, recent, days) }

    /// The time before which wrong PINs no longer count.
    func start(at now: Int64) -> Int64 { now - Int64(days) * 86_400 }

    func left(inARow: Int, recent: Int) -> Int { max(0, min(self.inARow &- inARow, self.recent &- recent)) }
}
