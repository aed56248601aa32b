// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage

/// A part of the server that uses the storage, clock, limits and audit log of its context.
protocol ServerComponent: Sendable { var context: ServerContext { get } }

extension ServerComponent {
    var store: SQLiteStorage { context.store }
    var audit: Audit { context.audit }
    var clock: ServerClock { context.clock }
    var configuration: RoleConfiguration { context.configuration }
    var limits: RateLimits { context.limits }

    /// Whether unsigned requests may use a registration. For them any other registration does not exist.
    func takesPasses(_ registration: RegistrationEntry) -> Bool {
        registration.deviceKey == nil && configuration.acceptsMilagro
    }

    /// Charges a source. Records in the audit log that the limit is used up, if that is the case now.
    func charge(_ limiter: RateLimiter, _ source: RequestSource, guessed: AuditAction.GuessedValue? = nil) {
        if limiter.charge(source, at: clock.monotonic()) {
            audit.note(.rateLimited(guessed: guessed), user: nil, source: source)
        }
    }

    /// Refuses a source that has used up a rate limit.
    func demand(_ limiter: RateLimiter, _ source: RequestSource) throws {
        guard limiter.allows(source, at: clock.monotonic()) else { throw Refusal.rateLimited(source) }
    }
}
