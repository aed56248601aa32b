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
    package var hour: Int { Int((seconds - Int64(day) * 86_400) / 3_600) }

    package func adding(seconds: Int64) -> Timestamp { Timestamp(microseconds: microseconds &+ seconds &* 1_000_000) }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

    /// Reads a time in UTC: `YYYY-MM-DD`, `YYYY-MM-DDTHH:MM` or `YYYY-MM-DDTHH:MM:SS`, with or without a `Z` at the end.
    package init?(utc text: String) {
        let plain = text.hasSuffix("Z") && text.contains("T") ? String(text.dropLast()) : text
        let numbers = plain.split { "-T:".contains($0) }.compactMap { Int32($0) }
        let formats = [3: "%Y-%m-%d", 5: "%Y-%m-%dT%H:%M", 6: "%Y-%m-%dT%H:%M:%S"]
        guard let format = formats[numbers.count], numbers[0] < 10_000 else { return nil }
        let time = numbers[3...] + [0, 0, 0]
        var parts = unsafe tm()
        unsafe (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1_900, numbers[1] - 1, numbers[2])
        unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec) = (time[3], time[4], time[5])
        self.init(seconds: Int64(unsafe timegm(&parts)))
        // Not with other digits, or a day that its month does not have.
        guard seconds >= 0, self.text(format) == plain else { return nil }
    }

    /// `YYYY-MM-DDTHH:MM:SSZ`
    package var zulu: String { text("%Y-%m-%dT%H:%M:%SZ") }
    /// `YYYY-MM-DDTHH:MM:SS.ffffff`, the format in the answer to a registration.
    package var fractional: String { text("%Y-%m-%dT%H:%M:%S.") + fraction }
    /// `YYYY-MM-DD HH:MM:SS.ffffff`, the format in an M-Pin ID.
    package var spaced: String { text("%Y-%m-%d %H:%M:%S.") + fraction }

    private var fraction: String {
        let digits = String(microseconds - seconds * 1_000_000)
        return String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }

    /// The time in a format of `strftime`, in the C locale.
    package func text(_ format: String) -> String {
        var (second, parts) = unsafe (time_t(seconds), tm())
        unsafe gmtime_r(&second, &parts)
        return unsafe String(unsafeUninitializedCapacity: 64) { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe strftime($0.baseAddress, $0.count, format, &parts) }
        }
    }
}

extension Int64 {
    /// The quotient rounded toward minus infinity, for a positive divisor.
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

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

    package static let system = ServerClock(
        wall: { Int64(Date().timeIntervalSince1970 * 1_000_000) }, monotonic: { .now })

    package var now: Timestamp { Timestamp(microseconds: wall()) }
}

/// The window of times that devices may sign, in milliseconds since 1970-01-01 UTC by the server's clock.
package enum SignatureWindow {
    /// How far a signed time may be from the server's.
    static let tolerance: Int64 = 90_000
    /// How long after a request its client accepts the answer that the time in it is wrong.
    private static let patience: Int64 = 60_000
    /// How long after its time a login is remembered. A client may sign a time that is about to leave the window, and
    /// sends its PIN again after that answer. So the server must not give it to a login that it has verified.
    static let memory = tolerance + patience

    package static func isNear(_ time: Int64, to now: Int64) -> Bool {
        let (distance, overflow) = time.subtractingReportingOverflow(now)
        return !overflow && -tolerance...tolerance ~= distance
    }

    /// The latest time whose logins need not be remembered.
    static func floor(_ clock: Int64) -> Int64 { clock - memory - 1 }

    /// The server's time for this check: its clock, but always after the latest time that is no longer accepted.
    package static func now(_ clock: Int64, after latest: Int64) -> Int64 { max(clock, latest &+ 1) }
}
