// SPDX-License-Identifier: Apache-2.0

/// How many wrong PINs a registration may have before it is blocked.
package struct AttemptLimits: Sendable {
    /// Since the last right one.
    let inARow: Int
    /// In the last days, regardless of right PINs between them.
    let recent: Int
    /// How many days those are.
    let days: Int

    package init(inARow: Int, recent: Int, days: Int) {
        self.inARow = inARow
        self.recent = recent
        self.days = days
    }

    /// The time before which wrong PINs no longer count.
    func start(at now: Int64) -> Int64 { now - Int64(days) * 86_400 }

    /// How many more there may be.
    func left(inARow: Int, recent: Int) -> Int { max(0, min(self.inARow - inARow, self.recent - recent)) }
}
