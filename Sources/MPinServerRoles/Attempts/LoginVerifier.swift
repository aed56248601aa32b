// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage

enum LoginVerdict: Sendable {
    case right(user: String, AttemptHistory)
    /// The wrong PIN, and how many tries are left; 0 after the last one.
    case wrong(attemptsLeft: Int)
    case unregistered
    /// Not verified: no tries were left.
    case blocked
    case revoked
}

/// Verifies answers to challenges. A reservation counts each answer before it is verified, and no result leaves here
/// before it is committed.
///
/// Any number may be verified concurrently, because reservations limit their number and each answer is verified once.
final class LoginVerifier: Sendable {
    let verifier: Verifier
    let attemptCounter: AttemptCounter
    private let audit: Audit
    private let metrics: ServerMetrics

    init(verifier: Verifier, attemptCounter: AttemptCounter, audit: Audit, metrics: ServerMetrics) {
        (self.verifier, self.attemptCounter) = (verifier, attemptCounter)
        (self.audit, self.metrics) = (audit, metrics)
    }

    /// Counts the outcome of a login in the metrics.
    func counted(_ body: () throws(Refusal) -> LoginVerdict?) throws(Refusal) -> LoginVerdict? {
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

    /// Reserves an attempt, and verifies it if there was one left.
    ///
    /// - Parameter verify: verifies the login and settles the reservation.
    /// - Throws: ``Refusal`` if the login cannot or must not be verified now, and what `verify` throws.
    func attempt(
        _ hash: [UInt8], origin: AttemptOrigin, source: RequestSource, at now: Timestamp,
        _ verify: (Reservation) throws(Refusal) -> LoginVerdict?
    ) throws(Refusal) -> LoginVerdict? {
        switch try attemptCounter.reserve(hash, origin: origin, at: now) {
        case .reserved(let reservation): return try verify(reservation)
        case .unregistered: return .unregistered
        case .withoutKey(let device, let user):
            audit.note(.refused(.withoutKey(device: device)), user: user, source: source)
            return .unregistered
        case .revoked(let user):
            audit.note(.refused(.revoked), user: user, source: source)
            return .revoked
        case .blocked(let user):
            audit.note(.refused(.blocked), user: user, source: source)
            return .blocked
        case .stale(let latest): throw .offTime(SignatureWindow.now(now.milliseconds, after: latest))
        case .replayed: throw .replayed
        case .full: throw .failure
        }
    }

    /// Settles a right attempt.
    ///
    /// - Throws: ``Refusal/unsettled``, like ``wrong(_:at:source:)``, so that it does not show the verdict.
    func right(_ reservation: Reservation, at now: Timestamp) throws(Refusal) -> LoginVerdict {
        try attemptCounter.right(reservation, at: now)
        return .right(user: reservation.user, reservation.history)
    }

    /// Settles a wrong attempt.
    func wrong(
        _ reservation: Reservation, at now: Timestamp, source: RequestSource
    ) throws(Refusal) -> LoginVerdict {
        .wrong(attemptsLeft: try attemptCounter.wrong(reservation, at: now, source: source))
    }

    /// Verifies a direct login.
    ///
    /// - Throws: ``Refusal`` if it cannot or must not be verified now, or if its result cannot be recorded.
    func verify(_ login: SignedLogin, source: RequestSource, at now: Timestamp) throws(Refusal) -> LoginVerdict? {
        let (hash, origin) = (login.identity.hash, AttemptOrigin.direct(login.commitment))
        return try counted { () throws(Refusal) in
            try attempt(hash, origin: origin, source: source, at: now) { reservation throws(Refusal) in
                verifier.accepts(identity: login.identity, day: nil, u: login.u, ut: nil, y: login.y, v: login.v)
                    ? try right(reservation, at: now) : try wrong(reservation, at: now, source: source)
            }
        }
    }
}

/// A login with the right PIN, direct or by two passes.
struct VerifiedLogin: Sendable {
    let user: String
    /// SHA-256 of the M-Pin ID.
    let registration: [UInt8]
    let history: AttemptHistory
    let source: RequestSource
    /// The source to which wrong access numbers are charged: that of the request, or the device if it has signed.
    let guesser: RequestSource

    func event(_ action: AuditAction, at now: Timestamp) -> AuditEvent {
        AuditEvent(action, at: now, user: user, source: source.text, actor: user)
    }
}

/// A direct login whose signature is valid.
struct SignedLogin: Sendable {
    let identity: Identity
    let u: [UInt8]
    let v: [UInt8]
    /// The challenge that follows from it, 32 bytes.
    let y: [UInt8]
    let commitment: SignedCommitment
}
