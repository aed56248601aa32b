// SPDX-License-Identifier: Apache-2.0

/// The rate limits of a server, for each source separately.
///
/// The limits are independent, so that a source that has used up one can still use the others.
struct RateLimits: Sendable {
    let capacity: Int
    /// Until there is one more.
    let seconds: Int
    /// Wrong codes and tokens of registrations.
    let registrations: RateLimiter
    /// Registrations begun without a code, and restarts. Counts each one, not only failures.
    let openRegistrations: RateLimiter
    /// Logins of identities that are not registered.
    let identities: RateLimiter
    /// Wrong one-time passwords.
    let passwords: RateLimiter
    /// Cross-device sessions opened. Counts each one.
    let sessions: RateLimiter
    /// Wrong access numbers, codes of links and host secrets.
    let numbers: RateLimiter
    /// Polls with unknown handles.
    let polls: RateLimiter
    /// Requests to the site's application. Counts each one.
    let verifications: RateLimiter
    /// Registrations begun without a code, and restarts, by the user whom they name. Each one stores something.
    let registrationsOfUser: CommonLimit
    /// Invitations, backup codes and revocations of users who have logged in. Each one stores something.
    let changes: CommonLimit
    /// Unknown tokens of links. A page of another origin can make its readers' browsers send those, which must not
    /// prevent logins.
    let links: RateLimiter

    init(_ state: ServerState, _ configuration: RoleConfiguration) {
        let (capacity, seconds) = (configuration.failuresPerSource, configuration.failureRefillSeconds)
        func limiter() -> RateLimiter { RateLimiter(capacity: capacity, interval: .seconds(seconds)) }
        (self.capacity, self.seconds) = (capacity, seconds)
        registrations = limiter()
        openRegistrations = limiter()
        identities = limiter()
        passwords = limiter()
        sessions = limiter()
        numbers = limiter()
        polls = limiter()
        verifications = limiter()
        links = limiter()
        (registrationsOfUser, changes) = (state.registrationsOfUser, state.changes)
    }
}
