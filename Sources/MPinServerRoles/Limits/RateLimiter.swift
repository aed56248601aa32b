// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage
import Synchronization

/// A rate limit for each source: a token bucket that refills with time.
///
/// Most limits are charged only for failures. Those of ``RateLimits`` that bound what a source may open or cause are
/// charged for each request. Secrets of 128 bits cannot be guessed, so they are checked before the limit: a client that
/// has one is served regardless of other clients of its source.
final class RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var time: Instant
    }

    private let capacity: Double
    /// How long it takes until there is one more token.
    private let interval: Duration
    private let limit: Int
    private let buckets = Mutex<[RequestSource: Bucket]>([:])

    init(capacity: Int, interval: Duration, limit: Int = 100_000) {
        self.capacity = Double(capacity)
        self.interval = interval
        self.limit = limit
    }

    /// Whether a source has a token left. Does not take it.
    func allows(_ source: RequestSource, at now: Instant) -> Bool {
        buckets.withLock { buckets in
            guard let bucket = buckets[source] else { return true }
            return filled(bucket, at: now).tokens >= 1
        }
    }

    /// Takes a token from a source.
    ///
    /// - Returns: whether this was its last one.
    @discardableResult func charge(_ source: RequestSource, at now: Instant) -> Bool {
        buckets.withLock { buckets in
            if buckets.count >= limit, buckets[source] == nil { makeRoom(&buckets, at: now) }
            var bucket = filled(buckets[source] ?? Bucket(tokens: capacity, time: now), at: now)
            let before = bucket.tokens
            bucket.tokens = max(0, before - 1)
            buckets[source] = bucket
            return before >= 1 && bucket.tokens < 1
        }
    }

    private func filled(_ bucket: Bucket, at now: Instant) -> Bucket {
        let gained = max(.zero, now - bucket.time) / interval
        return Bucket(tokens: min(capacity, bucket.tokens + gained), time: now)
    }

    /// Removes the full buckets or, if there are none, the fuller half of all.
    private func makeRoom(_ buckets: inout [RequestSource: Bucket], at now: Instant) {
        buckets = buckets.filter { filled($0.value, at: now).tokens < capacity }
        guard buckets.count >= limit else { return }
        let median = buckets.values.map(\.tokens).sorted()[buckets.count / 2]
        buckets = buckets.filter { $0.value.tokens < median }
    }
}

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
