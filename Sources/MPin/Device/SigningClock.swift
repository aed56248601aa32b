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

extension SigningClock {
    /// Converts a time in UTC, `YYYY-MM-DDTHH:MM:SS` with any suffix, to milliseconds since 1970-01-01; nil for another
    /// form.
    static func milliseconds(_ text: String) -> Int? {
        let bytes = Array(text.utf8.prefix(19))
        guard bytes.count == 19, bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " ") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var number = 0
            for byte in bytes[range] {
                guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return number
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            year >= 1970, 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60
        else { return nil }
        // The days of the civil calendar, in years that begin with March.
        let (years, months) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let days = years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 719_469
        return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000
    }
}
