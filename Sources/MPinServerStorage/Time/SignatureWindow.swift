// SPDX-License-Identifier: Apache-2.0

/// The window of times that devices may sign, in milliseconds since 1970-01-01 UTC by the server's clock.
package enum SignatureWindow {
    /// How far a signed time may be from the server's.
    static let tolerance: Int64 = 90_000
    /// How long after a request its client accepts the answer that the time in it is wrong.
    private static let patience: Int64 = 60_000
    /// How long after its time a login is remembered. A client may sign a time that is about to leave the window, and
    /// sends its PIN again after that answer. So the server must not give it to a login that it has verified.
    static let memory = tolerance + patience

    /// Whether a time is within the window.
    package static func isNear(_ time: Int64, to now: Int64) -> Bool {
        let (distance, overflow) = time.subtractingReportingOverflow(now)
        return !overflow && -tolerance...tolerance ~= distance
    }

    /// The server's time for this check: its clock, but always after the horizon.
    package static func now(_ clock: Int64, horizon: Int64) -> Int64 { max(clock, horizon &+ 1) }
}
