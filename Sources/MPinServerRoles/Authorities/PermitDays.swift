internal import MPinCrypto
internal import MPinServerStorage

/// The days whose time permits are valid at a time.
enum PermitDays {
    /// Today; in the first hour also yesterday, for logins that were begun before midnight.
    static func accepted(at now: Timestamp) -> [PermitDay] {
        let days = now.hour == 0 ? [now.day, now.day - 1] : [now.day]
        return days.compactMap { PermitDay($0) }
    }

    /// The days for which an authority gives shares: the clock of the relying party may be a minute ahead.
    static func asked(at now: Timestamp) -> [PermitDay] {
        let next = now.adding(seconds: 60).day
        return accepted(at: now) + (next > now.day ? [PermitDay(next)].compactMap { $0 } : [])
    }

    /// The day before those: of a client that did not notice that its day was over.
    static func over(at now: Timestamp) -> [PermitDay] {
        [now.hour == 0 ? now.day - 2 : now.day - 1].compactMap { PermitDay($0) }
    }
}
