// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage

/// The days whose time permits are valid at a time.
enum PermitDays {
    /// Today, and in the first hour of a day also yesterday, for logins that began before midnight.
    static func accepted(at now: Timestamp) -> [PermitDay] {
        let days = now.hour == 0 ? [now.day, now.day - 1] : [now.day]
        return days.compactMap { PermitDay($0) }
    }

    /// The days for which an authority gives shares. The relying party's clock may be a minute ahead.
    static func asked(at now: Timestamp) -> [PermitDay] {
        let next = now.adding(seconds: 60).day
        return accepted(at: now) + (next > now.day ? [PermitDay(next)].compactMap { $0 } : [])
    }

    /// The day before those, which a client uses that has not noticed the end of its day.
    static func over(at now: Timestamp) -> [PermitDay] {
        [now.hour == 0 ? now.day - 2 : now.day - 1].compactMap { PermitDay($0) }
    }
}
