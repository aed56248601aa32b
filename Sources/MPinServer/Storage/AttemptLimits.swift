/// How many wrong PINs a registration may have before it is blocked.
struct AttemptLimits: Sendable {
    /// Since the last right one.
    let inARow: Int
    /// In the last days, whatever right ones there were among them.
    let recent: Int
    /// How many days those are.
    let days: Int

    /// How far attempts may fill the longer limit that ask for the last try to be kept. They leave as much to the
    /// attempts of users who have confirmed that it may be their last.
    var recentForKeeping: Int { recent / 2 }

    /// The time before which wrong PINs no longer count.
    func start(at now: Int64) -> Int64 { now - Int64(days) * 86_400 }

    /// How many more there may be.
    func left(inARow: Int, recent: Int) -> Int { max(0, min(self.inARow - inARow, self.recent - recent)) }
}

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
    /// Whether the registration has logged in before.
    let isConfirmed: Bool
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
    /// It was not to be the last before a block, and would be, or attempts of that kind have used up their share of the
    /// longer limit. So many are left.
    case kept(left: Int)
}

extension ServerConfiguration {
    var attemptLimits: AttemptLimits {
        AttemptLimits(inARow: maxInvalidLoginAttempts, recent: maxRecentWrongAttempts, days: recentWrongDays)
    }
}
