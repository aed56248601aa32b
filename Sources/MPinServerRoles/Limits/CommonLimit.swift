// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage

/// A rate limit for each source and one for all of them together, because many networks can work for one attacker.
struct CommonLimit: Sendable {
    /// A burst, and how long it takes until there is one more.
    typealias Rate = (burst: Int, interval: Duration)

    private let each: RateLimiter
    /// Has one bucket, that of ``RequestSource/unknown``.
    private let all: RateLimiter

    init(each: Rate, all: Rate) {
        self.each = RateLimiter(capacity: each.burst, interval: each.interval)
        self.all = RateLimiter(capacity: all.burst, interval: all.interval)
    }

    /// Takes one from a source and from all together.
    ///
    /// - Returns: whether both had one left. If not, neither has changed.
    func take(_ source: RequestSource, at now: Instant) -> Bool {
        guard each.allows(source, at: now), all.allows(.unknown, at: now) else { return false }
        each.charge(source, at: now)
        all.charge(.unknown, at: now)
        return true
    }
}
