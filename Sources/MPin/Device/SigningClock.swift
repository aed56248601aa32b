internal import CMPinSystem

/// The server's clock, as far as this machine knows it: its own, and what the server has said that it is off.
enum SigningClock {
    /// What no two clocks are off, in milliseconds: a century. More is no clock.
    private static let limit: Int64 = 100 * 366 * 86_400_000

    /// Milliseconds since 1970-01-01 UTC by the server's clock, and never less than 1.
    static func now(_ offset: Int?) -> Int {
        Int(max(1, mpin_wall_milliseconds().addingReportingOverflow(bounded(offset)).partialValue))
    }

    /// The days since 1970-01-01 UTC by the server's clock.
    static func day(_ offset: Int?) -> Int { now(offset) / 86_400_000 }

    /// How many milliseconds the server's clock is ahead; nil for a time that no clock shows.
    ///
    /// - Parameter time: what the server has for now.
    static func offset(of time: Int) -> Int? {
        let (difference, isTooFar) = Int64(time).subtractingReportingOverflow(mpin_wall_milliseconds())
        guard !isTooFar, difference.magnitude <= limit.magnitude else { return nil }
        return Int(difference)
    }

    private static func bounded(_ offset: Int?) -> Int64 {
        guard let offset, Int64(offset).magnitude <= limit.magnitude else { return 0 }
        return Int64(offset)
    }
}

extension CachedLogin {
    /// Notes what the server has for now.
    func learnTime(_ time: Int) {
        let offset = SigningClock.offset(of: time)
        if offset != record.clockOffset { change { $0.clockOffset = offset } }
    }
}
