// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem

/// A time on the monotonic clock by which a call must finish.
package struct Deadline: Sendable {
    package let nanoseconds: Int64

    /// The time this many milliseconds from now.
    package init(millisecondsFromNow milliseconds: Int) {
        let budget = Int64(max(0, min(milliseconds, 3_600_000)))
        nanoseconds = mpin_monotonic_ns() + budget * 1_000_000
    }

    package var hasPassed: Bool { mpin_monotonic_ns() >= nanoseconds }
}
