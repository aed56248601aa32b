// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// Logins in one request that the device has signed: verifies them, and does what each is for. See docs/device-login.md
/// for the format.
struct DirectLoginService: ServerComponent {
    let context: ServerContext
    let loginVerifier: LoginVerifier
    let signatures: DeviceSignatures
    let application: Application
    let owner: OwnerService

    /// A login as its device has signed it, with one of the server's names.
    private struct Version {
        let login: DirectLogin
        let digest: [UInt8]
    }

    /// Answers a direct login: format, time, signature, reservation, pairing, result, in this order. All answers after
    /// the format have the server's proof.
    func answer(_ request: DirectLoginRequest, source: RequestSource) throws -> RouteResult {
        guard PointCheck.isG1(request.u), PointCheck.isG1(request.v) else {
            throw Refusal(.malformed, "Invalid data received. U or V is not a point")
        }
        if case .owner(let action) = request.purpose { try owner.check(action) }
        let versions = try context.names.map { name in try version(request, name: name) }
        let subject = try ServerStatement.signedRequest(versions[0].digest, signature: request.signature.bytes)
        return context.proven(.login, to: subject) { subject in
            let identity = try Identity(mpinID: request.mpinID.bytes)
            let commitment = try Hash.sha256(request.u)
            let (registration, signed) = try signer(
                identity.hash, time: request.time, request.signature, over: versions.map(\.digest),
                commitment: commitment, source: source)
            subject = try ServerStatement.signedRequest(signed, signature: request.signature.bytes)
            guard let login = versions.first(where: { $0.digest == signed })?.login else { throw Refusal.failure }
            return try answer(request, login, commitment, by: registration, identity, source: source)
        }
    }

    private func version(_ request: DirectLoginRequest, name: [UInt8]) throws -> Version {
        let login = DirectLogin(
            serverID: name, mpinID: request.mpinID.bytes, time: UInt64(request.time), u: request.u,
            purpose: request.purpose.word.bytes, argument: request.purpose.argument.bytes)
        return Version(login: login, digest: try login.digest(v: request.v))
    }

    /// Answers a login whose signature is valid.
    private func answer(
        _ request: DirectLoginRequest, _ login: DirectLogin, _ commitment: [UInt8],
        by registration: (id: Int64, key: [UInt8]), _ identity: Identity, source: RequestSource
    ) throws -> RouteResult {
        let guesser = RequestSource.device(registration.id)
        let session = try session(of: request.purpose, guesser: guesser)
        let commitment = SignedCommitment(
            key: registration.key, hash: commitment, time: Int64(request.time))
        let verdict = try loginVerifier.verify(
            SignedLogin(
                identity: identity, u: request.u, v: request.v, y: try login.challenge(), commitment: commitment),
            source: source, clock: clock)
        let verified = try verified(verdict, identity.hash, source: source, guesser: guesser)
        do {
            return try result(of: request.purpose, session: session, by: verified)
        } catch let refusal as Refusal {
            throw Self.distinct(refusal)
        }
    }

    /// The registration whose device has signed a request. A caller without a valid signature learns only whether the
    /// format and the time are valid.
    ///
    /// - Parameters:
    ///   - digests: those of the request with each of the server's names.
    ///   - commitment: SHA-256 of U; nil for a request that is not a login.
    /// - Returns: the registration, and the digest that its device has signed.
    func signer(
        _ hash: [UInt8], time: Int, _ signature: HexText, over digests: [[UInt8]], commitment: [UInt8]? = nil,
        source: RequestSource
    ) throws -> (registration: (id: Int64, key: [UInt8]), signed: [UInt8]) {
        let signer = try store.signer(hash)
        let now = SignatureWindow.now(clock.now.milliseconds, horizon: signer.horizon)
        let signed = try signatures.accepted(signature.bytes, over: digests, by: signer.registration?.key)
        guard Int64(time) > signer.horizon, SignatureWindow.isNear(Int64(time), to: now) else {
            // After this refusal the client sends its PIN again. So no copy of the login may have been verified while
            // its time was right, and none that is on its way may be verified.
            if signed != nil, let commitment, let key = signer.registration?.key {
                let login = SignedCommitment(key: key, hash: commitment, time: Int64(time))
                guard try store.voidCommitment(login, of: hash, now: clock.now) else { throw Refusal.replayed }
            }
            throw Refusal.offTime(now)
        }
        guard let signed, let registration = signer.registration else { throw try unknown(source) }
        return (registration, signed)
    }

    /// The only refusal for a caller without the signature of a known device. Limited for each source, but not for
    /// callers with a valid signature, so that an attacker cannot lock out a device.
    func unknown(_ source: RequestSource) throws -> Refusal {
        try demand(limits.identities, source)
        charge(limits.identities, source)
        return .unknownDevice
    }

    /// The session with an access number or a code. Wrong ones are charged to the device, because only the device can
    /// send them.
    private func session(of purpose: DirectPurpose, guesser: RequestSource) throws -> Int? {
        guard case .session(let code) = purpose else { return nil }
        return try application.crossDevice.sessionID(of: code.string, source: guesser)
    }

    private func verified(
        _ verdict: LoginVerdict?, _ hash: [UInt8], source: RequestSource, guesser: RequestSource
    ) throws -> VerifiedLogin {
        switch verdict {
        case .right(let user, let history):
            return VerifiedLogin(
                user: user, registration: hash, history: history, source: source, guesser: guesser)
        case .wrong(let left): throw Refusal.wrongPIN(attemptsLeft: left)
        case .blocked: throw Refusal(.blocked, "Blocked", attemptsLeft: 0)
        case .revoked: throw Refusal.revoked(try store.registration(hash))
        case .unregistered, nil: throw Refusal.unknownDevice
        }
    }

    private func result(of purpose: DirectPurpose, session: Int?, by login: VerifiedLogin) throws -> RouteResult {
        switch purpose {
        case .login, .changePIN: .now(.json(application.answer(to: login)))
        case .oneTimePassword:
            .now(.json(application.answer(to: login, password: try Random.digits(6), tellsPassword: true)))
        case .session:
            try application.approve(
                session, by: login, late: Refusal(.late, "The session did not accept the login in time"))
        case .revoke(let mpinID): .now(.json(try application.revoke(mpinID, by: login)))
        case .owner(let action): .now(.json(try owner.answer(action, by: login)))
        }
    }

    /// The refusal of the action after a right PIN, which differs from a verdict on the device or its registration.
    private static func distinct(_ refusal: Refusal) -> Refusal {
        switch DirectRefusal(rawValue: refusal.status) {
        case .revoked, .unknownDevice: Refusal(.unmet, refusal.message)
        default: refusal
        }
    }
}
