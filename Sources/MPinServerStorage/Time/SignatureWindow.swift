// SPDX-License-Identifier: Apache-2.0

/// The window of times that devices may sign, in milliseconds since 1970-01-01 UTC by the server's clock.
package enum SignatureWindow {
    /// How far a signed time may be from the server's.
    static let tolerance: Int64 = 90_000

    /// Whether a time is within the window.
    package static func isNear(_ time: Int64, to now: Int64) -> Bool {
        let (distance, overflow) = time.subtractingReportingOverflow(now)
        return !overflow && -tolerance...tolerance ~= distance
    }

    /// The server's time for this check: its clock, but always after the horizon.
    package static func now(_ clock: Int64, horizon: Int64) -> Int64 { max(clock, horizon &+ 1) }
}
