// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// Verifies answers to challenges. A reservation counts each answer before it is verified.
///
/// Any number may be verified concurrently, because reservations limit their number and each answer is verified once.
final class LoginVerifier: Sendable {
    private let verifier: Verifier
    private let attemptCounter: AttemptCounter
    private let pending: PendingLogins
    private let audit: Audit
    private let metrics: ServerMetrics

    /// Whether an attempt may be verified.
    private enum Admission {
        case attempt(Reservation)
        /// It may not, and this is the verdict.
        case verdict(LoginVerdict)
    }

    init(
        verifier: Verifier, attemptCounter: AttemptCounter, pending: PendingLogins, audit: Audit, metrics: ServerMetrics
    ) {
        self.verifier = verifier
        self.attemptCounter = attemptCounter
        self.pending = pending
        self.audit = audit
        self.metrics = metrics
    }

    /// Verifies a pass 2.
    ///
    /// - Parameter isTaken: whether registrations without a key may log in.
    /// - Returns: nil if there is no pending pass 1 that it could answer. Then nothing was counted.
    /// - Throws: ``Refusal`` if it cannot or must not be verified now. Then nothing was counted or used up.
    func verify(
        _ answer: PassTwoRequest, identity: Identity, isTaken: Bool, source: RequestSource, clock: ServerClock
    ) throws(Refusal) -> LoginVerdict? {
        try counted { () throws(Refusal) in
            try claimAndVerify(answer, identity: identity, isTaken: isTaken, source: source, clock: clock)
        }
    }

    /// Verifies a direct login.
    ///
    /// - Throws: ``Refusal`` if it cannot or must not be verified now. Then nothing was counted.
    func verify(_ login: SignedLogin, source: RequestSource, clock: ServerClock) throws(Refusal) -> LoginVerdict? {
        try counted { () throws(Refusal) in
            let (hash, now) = (login.identity.hash, clock.now)
            let origin = AttemptOrigin.direct(login.commitment)
            switch try admit(hash, origin: origin, source: source, at: now) {
            case .verdict(let verdict): return verdict
            case .attempt(let reservation):
                let isRight = verifier.accepts(
                    identity: login.identity, day: nil, u: login.u, ut: nil, y: login.y, v: login.v)
                guard isRight else {
                    return .wrong(attemptsLeft: attemptCounter.wrong(reservation, hash, at: now, source: source))
                }
                attemptCounter.right(reservation, hash, at: now)
                return .right(user: reservation.user, reservation.history)
            }
        }
    }

    /// Counts the outcome of a login in the metrics.
    private func counted(_ body: () throws(Refusal) -> LoginVerdict?) throws(Refusal) -> LoginVerdict? {
        do throws(Refusal) {
            let verdict = try body()
            switch verdict {
            case .right: metrics.count(ServerMetrics.Login.right)
            case .wrong: metrics.count(ServerMetrics.Login.wrong)
            case .unregistered, .blocked, .revoked, nil: metrics.count(ServerMetrics.Login.refused)
            }
            return verdict
        } catch {
            metrics.count(ServerMetrics.Login.refused)
            throw error
        }
    }

    private func claimAndVerify(
        _ answer: PassTwoRequest, identity: Identity, isTaken: Bool, source: RequestSource, clock: ServerClock
    ) throws(Refusal) -> LoginVerdict? {
        let hash = identity.hash
        let claim = pending.claim(
            answer.v, passID: answer.passID?.bytes, hash: hash, source: source, at: clock.monotonic())
        guard let claim else { return nil }
        do throws(Refusal) {
            let origin = AttemptOrigin.twoPasses(isTaken: isTaken)
            switch try admit(hash, origin: origin, source: source, at: clock.now) {
            case .verdict(let verdict): return verdict
            case .attempt(let reservation):
                return try verdict(answer.v, claim, reservation, identity: identity, source: source, clock: clock)
            }
        } catch {
            pending.release(claim)
            throw error
        }
    }

    /// Reserves an attempt.
    private func admit(
        _ hash: [UInt8], origin: AttemptOrigin, source: RequestSource, at now: Timestamp
    ) throws(Refusal) -> Admission {
        switch try attemptCounter.reserve(hash, origin: origin, at: now) {
        case .reserved(let reservation): return .attempt(reservation)
        case .unregistered: return .verdict(.unregistered)
        case .unsigned(let refusal, let user):
            // Any client can send any number of requests for a registration with a key, so they are not recorded.
            if case .withoutKey = refusal {
                audit.note(.refused(.unsigned(refusal)), at: now, user: user, source: source)
            }
            return .verdict(.unregistered)
        case .revoked(let user):
            audit.note(.refused(.revoked), at: now, user: user, source: source)
            return .verdict(.revoked)
        case .blocked(let user):
            audit.note(.refused(.blocked), at: now, user: user, source: source)
            return .verdict(.blocked)
        case .stale(let horizon): throw .offTime(SignatureWindow.now(now.milliseconds, horizon: horizon))
        case .replayed: throw .replayed
        case .full: throw .failure
        }
    }

    /// Writes settlements that are still unwritten.
    func flush() { attemptCounter.flush() }

    private func verdict(
        _ v: [UInt8], _ claim: PendingLogins.Claim, _ reservation: Reservation, identity: Identity,
        source: RequestSource,
        clock: ServerClock
    ) throws(Refusal) -> LoginVerdict? {
        let now = clock.now
        let accepted = PermitDays.accepted(at: now)
        guard let match = claim.logins.first(where: { accepts(v, $0, identity: identity, on: accepted) }) else {
            // The right PIN with an expired time permit. An attacker learns no more from this answer than from a login.
            if claim.logins.contains(where: { accepts(v, $0, identity: identity, on: PermitDays.over(at: now)) }) {
                attemptCounter.withdraw(reservation, identity.hash)
                throw Refusal(408, "The time permit has expired; nothing was counted, fetch another")
            }
            return .wrong(attemptsLeft: attemptCounter.wrong(reservation, identity.hash, at: now, source: source))
        }
        guard pending.use(match, of: claim, at: clock.monotonic()) else {
            attemptCounter.withdraw(reservation, identity.hash)
            return nil
        }
        attemptCounter.right(reservation, identity.hash, at: now)
        return .right(user: reservation.user, reservation.history)
    }

    private func accepts(_ v: [UInt8], _ login: PendingLogin, identity: Identity, on days: [PermitDay]) -> Bool {
        days.contains { day in
            verifier.accepts(identity: identity, day: day, u: login.u, ut: login.ut, y: login.y, v: v)
        }
    }
}
