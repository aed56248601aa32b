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
    let ssh: SSHCertificateService

    /// Answers a direct login: format, signature, time, reservation, pairing, result, in this order. All answers after
    /// the format have the server's proof.
    func answer(_ request: DirectLoginRequest, source: RequestSource) throws -> RouteResult {
        guard PointCheck.isG1(request.u), PointCheck.isG1(request.v) else {
            throw Refusal(.malformed, "Invalid data received. U or V is not a point")
        }
        if case .owner(let action) = request.purpose { try owner.check(action) }
        let login = DirectLogin(
            serverID: context.key.hash, mpinID: request.mpinID.bytes, time: UInt64(request.time), u: request.u,
            purpose: request.purpose.word.bytes, argument: request.purpose.argument.bytes)
        let digest = try login.digest(v: request.v)
        let subject = try ServerStatement.signedRequest(digest, signature: request.signature.bytes)
        return context.proven(.login, to: subject) {
            let identity = try Identity(mpinID: request.mpinID.bytes)
            let hash = try Hash.sha256(request.u)
            let device = try signer(
                identity.hash, time: request.time, request.signature, over: digest, commitment: hash, source: source)
            let commitment = SignedCommitment(key: device.key, hash: hash, time: Int64(request.time))
            return try answer(
                request.purpose,
                SignedLogin(
                    identity: identity, u: request.u, v: request.v, y: try login.challenge(), commitment: commitment),
                guesser: .device(device.id), source: source)
        }
    }

    private func answer(
        _ purpose: DirectPurpose, _ login: SignedLogin, guesser: RequestSource, source: RequestSource
    ) throws -> RouteResult {
        let session = try session(of: purpose, guesser: guesser)
        let verdict = try loginVerifier.verify(login, source: source, at: clock.now)
        let verified = try verified(verdict, login.identity.hash, source: source, guesser: guesser)
        do { return try result(of: purpose, session: session, by: verified) } catch let refusal as Refusal {
            throw Self.distinct(refusal)
        }
    }

    /// The registration whose device has signed a request. A caller without a valid signature learns only whether the
    /// format and the time are valid.
    ///
    /// - Parameter commitment: SHA-256 of U; nil for a request that is not a login.
    /// - Returns: its number in the database, and its key.
    func signer(
        _ hash: [UInt8], time: Int, _ signature: HexText, over digest: [UInt8], commitment: [UInt8]? = nil,
        source: RequestSource
    ) throws -> (id: Int64, key: [UInt8]) {
        let signer = try store.signer(hash)
        let isSigned = try signatures.accept(signature.bytes, over: digest, by: signer.registration?.key)
        let latest = isSigned ? signer.floor : signer.horizon
        let now = SignatureWindow.now(clock.now.milliseconds, after: latest)
        guard Int64(time) > latest, SignatureWindow.isNear(Int64(time), to: now) else {
            // After this refusal the client sends its PIN again. So no copy of the login may have been verified while
            // its time was right, and none that is on its way may be verified.
            if isSigned, let commitment, let key = signer.registration?.key {
                let login = SignedCommitment(key: key, hash: commitment, time: Int64(time))
                guard try store.voidCommitment(login, of: signer, now: now) else { throw Refusal.replayed }
            }
            throw Refusal.offTime(now)
        }
        guard isSigned, let registration = signer.registration else { throw try unknown(source) }
        return registration
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
        guard case .session(let code, let details) = purpose else { return nil }
        return try application.crossDevice.sessionID(of: code.string, details: details?.bytes, source: guesser)
    }

    private func verified(
        _ verdict: LoginVerdict?, _ hash: [UInt8], source: RequestSource, guesser: RequestSource
    ) throws -> VerifiedLogin {
        switch verdict {
        case .right(let user, let history):
            return VerifiedLogin(user: user, registration: hash, history: history, source: source, guesser: guesser)
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
        case .sshCertificate(let key): .now(.json(try ssh.answer(key, by: login, serverID: application.serverID)))
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

/// The questions of a device about its own registration before the user types a PIN. Nothing is verified or counted.
extension DirectLoginService {
    /// Tells a device whether its registration may log in. The answer has the server's proof.
    func status(_ request: DeviceStatusRequest, source: RequestSource) throws -> RouteResult {
        let proof = request.proof
        let digest = try DeviceStatement.request(
            Array("status".utf8), serverID: context.key.hash, mpinID: request.mpinID.bytes, time: UInt64(proof.time),
            regOTT: [])
        let subject = try ServerStatement.signedRequest(digest, signature: proof.signature.bytes)
        return context.proven(.login, to: subject) {
            let hash = try Hash.sha256(request.mpinID.bytes)
            _ = try signer(hash, time: proof.time, proof.signature, over: digest, source: source)
            return .now(.json(try status(of: hash, source: source).encode()))
        }
    }

    private func status(of hash: [UInt8], source: RequestSource) throws -> DeviceStatusResponse {
        guard let registration = try store.registration(hash), registration.state == .registered else {
            throw try unknown(source)
        }
        guard registration.revoked == nil else { throw Refusal.revoked(registration) }
        let users = try store.users(
            named: registration.user, limits: configuration.attemptLimits, now: clock.now.seconds)
        let device = users.first?.devices.first { $0.number == registration.number }
        return DeviceStatusResponse(attemptsLeft: device?.attemptsLeft ?? 0)
    }
}

/// Checks the signatures of devices. The check for an unknown device takes nearly as long as for a known one.
struct DeviceSignatures: Sendable {
    /// The key against which the signatures of unknown devices are checked.
    private let fixed: DevicePublicKey

    /// - Throws: ``CryptoError/libraryUnavailable``.
    init() throws(CryptoError) { fixed = try DeviceKey.generate().publicKey }

    /// Whether a registration's key has signed a digest.
    ///
    /// - Parameter key: 65 bytes; nil if the registration is unknown, or has no key.
    /// - Throws: ``CryptoError`` if memory is short. Then nothing is known about the signature.
    func accept(_ signature: [UInt8], over digest: [UInt8], by key: [UInt8]?) throws(CryptoError) -> Bool {
        let publicKey = key.map { DevicePublicKey(kept: $0) } ?? fixed
        let isSigned = try publicKey.verifies(signature, over: digest)
        return isSigned && key != nil
    }
}
