internal import MPinCrypto
internal import MPinWire

/// Verifies answers to challenges, each under a reservation that counts it beforehand.
///
/// Any number may be verified concurrently: reservations bound how many, and each answer is verified once.
final class LoginVerifier: Sendable {
    private let verifier: Verifier
    private let attemptCounter: AttemptCounter
    private let pending: PendingLogins
    private let audit: Audit
    private let metrics: ServerMetrics

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
    /// - Returns: nil when there is no pending pass 1 that it could answer; then nothing was counted.
    /// - Throws: ``Refusal`` when it cannot be verified now, or must not be; then nothing was counted or used up
    /// either.
    func verify(
        _ answer: PassTwoRequest, identity: Identity, source: RequestSource, clock: ServerClock
    ) throws(Refusal) -> LoginVerdict? {
        do throws(Refusal) {
            let verdict = try claimAndVerify(answer, identity: identity, source: source, clock: clock)
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
        _ answer: PassTwoRequest, identity: Identity, source: RequestSource, clock: ServerClock
    ) throws(Refusal) -> LoginVerdict? {
        let hash = identity.hash
        let claim = pending.claim(
            answer.v, passID: answer.passID?.bytes, hash: hash, source: source, at: clock.monotonic())
        guard let claim else { return nil }
        do throws(Refusal) {
            let reservation: Reservation
            switch try attemptCounter.reserve(hash, keepsLast: answer.keepsLastTry, at: clock.now) {
            case .reserved(let made): reservation = made
            case .unregistered: return .unregistered
            case .revoked(let user):
                audit.note(.refused, at: clock.now, user: user, source: source, detail: "revoked")
                return .revoked
            case .blocked(let user):
                audit.note(.refused, at: clock.now, user: user, source: source, detail: "blocked")
                return .blocked
            case .kept(let left):
                let reason =
                    left == 1
                    ? "This could be the last try, which was to be kept"
                    : "Attempts that are to keep the last try have used up their share of the limit"
                throw Refusal(423, reason, attemptsLeft: left)
            case .full: throw .failure
            }
            return try verdict(answer.v, claim, reservation, identity: identity, source: source, clock: clock)
        } catch {
            pending.release(claim)
            throw error
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
            // The right PIN with an expired time permit. An attacker learns no more from this answer than from success.
            if claim.logins.contains(where: { accepts(v, $0, identity: identity, on: PermitDays.over(at: now)) }) {
                attemptCounter.withdraw(reservation, identity.hash)
                throw Refusal(408, "The time permit is of a day that is over; nothing was counted, fetch another")
            }
            return .wrong(attemptsLeft: attemptCounter.wrong(reservation, identity.hash, at: now, source: source))
        }
        guard pending.use(match, of: claim, at: clock.monotonic()) else {
            attemptCounter.withdraw(reservation, identity.hash)
            return nil
        }
        attemptCounter.right(reservation, identity.hash, at: now)
        return .right(user: reservation.user, wrongBefore: reservation.unseen)
    }

    private func accepts(_ v: [UInt8], _ login: PendingLogin, identity: Identity, on days: [PermitDay]) -> Bool {
        days.contains { day in
            verifier.accepts(identity: identity, day: day, u: login.u, ut: login.ut, y: login.y, v: v)
        }
    }
}
