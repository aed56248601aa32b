// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A time of the wall clock in UTC, and its formats on the wire.
package struct Timestamp: Sendable, Equatable, Comparable {
    /// Since 1970-01-01 UTC.
    let microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    package init(seconds: Int64) { microseconds = seconds.multipliedReportingOverflow(by: 1_000_000).partialValue }

    package var seconds: Int64 { microseconds.flooredQuotient(1_000_000) }
    package var milliseconds: Int64 { microseconds.flooredQuotient(1_000) }
    /// Whole days since 1970-01-01.
    package var day: Int { Int(seconds.flooredQuotient(86_400)) }
    /// The hour of the UTC day, 0 to 23.
    package var hour: Int { Int((seconds - Int64(day) * 86_400) / 3_600) }

    package func adding(seconds: Int64) -> Timestamp { Timestamp(microseconds: microseconds &+ seconds &* 1_000_000) }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

    /// `YYYY-MM-DDTHH:MM:SSZ`
    package var zulu: String { "\(date)T\(time)Z" }
    /// `YYYY-MM-DDTHH:MM:SS.ffffff`, the format in the answer to a registration.
    package var fractional: String { "\(date)T\(time).\(fraction)" }
    /// `YYYY-MM-DD HH:MM:SS.ffffff`, the format in an M-Pin ID.
    package var spaced: String { "\(date) \(time).\(fraction)" }

    private var fraction: String { Self.padded(microseconds - seconds * 1_000_000, 6) }

    private var time: String {
        let second = seconds - Int64(day) * 86_400
        return [second / 3_600, second / 60 % 60, second % 60].map { Self.padded($0, 2) }.joined(separator: ":")
    }

    /// The civil date: days are counted in years that begin on 1 March, so that a leap day is the last of its year.
    private var date: String {
        let shifted = Int64(day) + 719_468
        let era = shifted.flooredQuotient(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(dayOfMonth, 2))"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension Int64 {
    /// The quotient rounded toward minus infinity, for a positive divisor.
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

/// A point on the monotonic clock.
package typealias Instant = ContinuousClock.Instant

/// The two clocks of the server. A value that tests can replace.
package struct ServerClock: Sendable {
    /// The wall clock: microseconds since 1970-01-01 UTC.
    let wall: @Sendable () -> Int64
    /// The monotonic clock, which does not change when an administrator sets the time.
    package let monotonic: @Sendable () -> Instant

    package init(wall: @escaping @Sendable () -> Int64, monotonic: @escaping @Sendable () -> Instant) {
        self.wall = wall
        self.monotonic = monotonic
    }

    /// The clocks of the host.
    package static let system = ServerClock(
        wall: { Int64(Date().timeIntervalSince1970 * 1_000_000) }, monotonic: { .now })

    /// The time of the wall clock.
    package var now: Timestamp { Timestamp(microseconds: wall()) }
}
