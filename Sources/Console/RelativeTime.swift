// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A time relative to now, in words: `3 minutes ago`, `in 2 days`.
package enum RelativeTime {
    /// The units with their seconds. A month has 30 days here, and a year 365.
    private static let units: [(name: String, seconds: Int64)] = [
        ("year", 31_536_000), ("month", 2_592_000), ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1),
    ]

    /// - Parameter seconds: from now to the time; negative for a time in the past.
    package static func text(seconds: Int64) -> String {
        let distance = seconds.magnitude
        guard let unit = units.first(where: { distance >= $0.seconds.magnitude }) else { return "now" }
        let count = distance / unit.seconds.magnitude
        let amount = "\(count) \(unit.name)\(count == 1 ? "" : "s")"
        return seconds < 0 ? amount + " ago" : "in " + amount
    }

    /// The distance from now to a time of ISO 8601 in UTC. Other text, which a server may send, is unchanged.
    package static func text(of stamp: String) -> String {
        guard let time = try? Date(stamp, strategy: .iso8601) else { return stamp }
        return text(seconds: Int64(time.timeIntervalSince(.now).rounded()))
    }
}
