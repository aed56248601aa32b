// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

extension LoginVerifier {
    /// Verifies a pass 2.
    ///
    /// - Parameter isTaken: whether registrations without a key may log in.
    /// - Returns: nil if there is no pending pass 1 that it could answer. Then nothing was counted.
    /// - Throws: ``Refusal`` if it cannot or must not be verified now, or if its result cannot be recorded. Then
    ///   nothing was used up.
    func verify(
        _ answer: PassTwoRequest, of pending: PendingLogins, identity: Identity, isTaken: Bool, source: RequestSource,
        clock: ServerClock
    ) throws(Refusal) -> LoginVerdict? {
        let hash = identity.hash
        return try counted { () throws(Refusal) in
            let claim = pending.claim(
                answer.v, passID: answer.passID?.bytes, hash: hash, source: source, at: clock.monotonic())
            guard let claim else { return nil }
            do throws(Refusal) {
                let origin = AttemptOrigin.twoPasses(isTaken: isTaken)
                return try attempt(hash, origin: origin, source: source, at: clock.now) { reservation throws(Refusal) in
                    try verdict(answer.v, claim, of: pending, reservation, identity: identity, source: source, clock)
                }
            } catch {
                pending.release(claim)
                throw error
            }
        }
    }

    private func verdict(
        _ v: [UInt8], _ claim: PendingLogins.Claim, of pending: PendingLogins, _ reservation: Reservation,
        identity: Identity, source: RequestSource, _ clock: ServerClock
    ) throws(Refusal) -> LoginVerdict? {
        let now = clock.now
        let accepted = PermitDays.accepted(at: now)
        guard let match = claim.logins.first(where: { accepts(v, $0, identity: identity, on: accepted) }) else {
            // The right PIN with an expired time permit. An attacker learns no more from this answer than from a login.
            if claim.logins.contains(where: { accepts(v, $0, identity: identity, on: PermitDays.over(at: now)) }) {
                try attemptCounter.withdraw(reservation, at: now)
                throw Refusal(408, "The time permit has expired; nothing was counted, fetch another")
            }
            return try wrong(reservation, at: now, source: source)
        }
        // Only then, because until it is settled, the pass 1 of a right answer must be like that of a wrong one.
        let verdict = try right(reservation, at: now)
        return pending.use(match, of: claim, at: clock.monotonic()) ? verdict : nil
    }

    private func accepts(_ v: [UInt8], _ login: PendingLogin, identity: Identity, on days: [PermitDay]) -> Bool {
        days.contains { day in
            verifier.accepts(identity: identity, day: day, u: login.u, ut: login.ut, y: login.y, v: v)
        }
    }
}
