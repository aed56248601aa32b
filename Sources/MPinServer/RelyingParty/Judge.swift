internal import MPinCrypto
internal import MPinWire

/// Judges answers to challenges, and counts each as it judges it.
///
/// What is known about the registration, the judgement and the count are one step under one lock, so that any number
/// of answers at once are judged no oftener than the limit allows.
final class Judge: Sendable {
    private let verifier: Verifier
    private let ledger: Ledger
    private let logins: OpenLogins
    private let audit: Audit
    private let limit: Int
    private let lock = KeyedLock()

    init(verifier: Verifier, ledger: Ledger, logins: OpenLogins, audit: Audit, limit: Int) {
        self.verifier = verifier
        self.ledger = ledger
        self.logins = logins
        self.audit = audit
        self.limit = limit
    }

    /// Judges a pass 2.
    ///
    /// - Returns: nil when there is no open pass 1 that it could answer; then nothing was counted.
    func judge(
        _ answer: PassTwoRequest, identity: Identity, source: Source, clock: ServerClock
    ) throws(ServerFault) -> Verdict? {
        try lock.withLock(identity.hash) { () throws(ServerFault) in
            let hash = identity.hash
            let open: [OpenLogin]
            if let passID = answer.passID {
                open = logins.take(passID.bytes, hash: hash, at: clock.monotonic()).map { [$0] } ?? []
            } else {
                open = logins.candidates(hash: hash, source: source, at: clock.monotonic())
            }
            guard !open.isEmpty else { return nil }
            var match: OpenLogin?
            defer {
                if answer.passID == nil { logins.settle(match, hash: hash, source: source, at: clock.monotonic()) }
            }
            guard let (registration, failures) = try ledger.registration(hash), registration.state == .registered else {
                return .stranger
            }
            let now = clock.now
            if registration.revoked != nil {
                audit.note(.refused, at: now, user: registration.user, source: source, detail: "revoked")
                return .revoked
            }
            guard failures < limit else {
                audit.note(.refused, at: now, user: registration.user, source: source, detail: "blocked")
                return .blocked
            }
            match = open.first { accepts(answer.v, $0, identity: identity, at: now) }
            guard match == nil else {
                guard try ledger.confirm(registration, hash, now: now.seconds) else {
                    audit.note(.refused, at: now, user: registration.user, source: source, detail: "revoked")
                    return .revoked
                }
                try ledger.clearFailures(hash, known: failures)
                return .right(user: registration.user)
            }
            let isLast = failures + 1 >= limit
            let count = try ledger.addFailure(
                hash,
                event: AuditEvent(
                    isLast ? .blocked : .wrongPIN, at: now, user: registration.user, source: source.text,
                    detail: "\(max(0, limit - failures - 1)) left"))
            return .wrong(attemptsLeft: max(0, limit - count))
        }
    }

    private func accepts(_ v: [UInt8], _ login: OpenLogin, identity: Identity, at now: Moment) -> Bool {
        PermitDays.accepted(at: now).contains { day in
            verifier.accepts(identity: identity, day: day, u: login.u, ut: login.ut, y: login.y, v: v)
        }
    }
}
