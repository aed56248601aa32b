// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem

/// The server's clock as far as this machine knows it: this machine's clock plus the difference that the server
/// reported.
enum SigningClock {
    /// The largest plausible difference between two clocks, in milliseconds: a century.
    private static let limit: Int64 = 100 * 366 * 86_400_000

    /// The milliseconds since 1970-01-01 UTC by the server's clock, at least 1.
    static func now(_ offset: Int?) -> Int {
        Int(max(1, mpin_wall_milliseconds().addingReportingOverflow(bounded(offset)).partialValue))
    }

    /// The days since 1970-01-01 UTC by the server's clock.
    static func day(_ offset: Int?) -> Int { now(offset) / 86_400_000 }

    /// Returns how many milliseconds the server's clock is ahead; nil for an implausible time.
    ///
    /// - Parameter time: the server's current time, in milliseconds since 1970-01-01 UTC.
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
    /// Stores the difference to the server's current time.
    func learnTime(_ time: Int) {
        let offset = SigningClock.offset(of: time)
        if offset != record.clockOffset { change { $0.clockOffset = offset } }
    }
}
