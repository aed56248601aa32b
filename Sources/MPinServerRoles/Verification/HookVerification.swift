// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// Verification of registrations by the site's own application.
///
/// A registration that the application holds is activated by its key, which is derived from the registration and not
/// stored. The application sends it back (`POST /user/MPINID`), or the user opens the link that contains it.
struct HookVerification: ServerComponent {
    let context: ServerContext
    let client: HookClient
    let key: SigningKey

    /// The refusal of a registration that is not admitted. It does not say who refused.
    static let refusal = Refusal(403, "This identity may not register without an invitation")

    /// Asks the application about a registration that is about to begin or restart.
    ///
    /// - Parameter ott: SHA-256 of the one-time token.
    /// - Throws: ``Refusal`` 403 if the application refuses, 503 if it cannot be asked.
    func ask(
        _ request: RegisterRequest, mpinID: HexText, hash: [UInt8], ott: [UInt8], expires: Timestamp, isRestart: Bool,
        source: RequestSource
    ) throws -> Bool {
        try demand(limits.verifications, source)
        limits.verifications.charge(source, at: clock.monotonic())
        let activateKey = try activationKey(hash, ott)
        let token = HexText(bytes: hash + activateKey).string
        // Without a public address there are no links.
        let link =
            context.publicURL.isEmpty ? nil : "\(context.publicURL)\(ServerEndpoint.activationPage.path)?t=\(token)"
        let message = VerifyRequest(
            userID: request.userID, mpinID: mpinID, mobile: request.mobile, activateKey: HexText(bytes: activateKey),
            expireTime: expires.zulu, resend: isRestart, deviceName: Registrar.device(request),
            userData: request.userData, activateCode: request.activateCode, activationURL: link)
        switch client.ask(message) {
        case .activate: return true
        case .hold: return false
        case .refuse:
            audit.note(.registrationRefused(.application), user: request.userID, source: source)
            throw Self.refusal
        case .unavailable(let reason):
            context.logger.warning("verify_url failed", metadata: ["reason": "\(reason)"])
            throw Refusal(503, "Identities cannot be verified at the moment; try again later", retryAfter: 30)
        }
    }

    /// Activates a registration for the site's application.
    ///
    /// - Throws: ``Refusal`` 401 if the key does not belong to the registration.
    func activate(_ mpinID: HexText, _ message: ActivationRequest, source: RequestSource) throws {
        try demand(limits.registrations, source)
        let isActive = try activate(
            try Hash.sha256(mpinID.bytes), activateKey: message.activateKey.bytes, source: source, by: .application)
        guard isActive else {
            limits.registrations.charge(source, at: clock.monotonic())
            throw Refusal(401, "There is no such registration, or the key is wrong")
        }
    }

    /// Activates a registration by the key that the application got.
    ///
    /// - Returns: false if the key does not belong to it, or if it does not wait.
    func activate(_ hash: [UInt8], activateKey: [UInt8], source: RequestSource, by proof: AuditAction.Proof) throws
        -> Bool
    {
        guard let registration = try waiting(hash, activateKey) else { return false }
        if registration.state == .activated { return true }
        let now = clock.now
        return try store.activateRegistration(
            hash, now: now.seconds,
            event: AuditEvent(.activated(proof), at: now, user: registration.user, source: source.text))
    }

    /// The registration of a key, as long as its secret can still be fetched.
    private func waiting(_ hash: [UInt8], _ activateKey: [UInt8]) throws -> RegistrationEntry? {
        guard let registration = try store.registration(hash), let ott = registration.ott,
            Hash.equal(activateKey, try activationKey(hash, ott)), registration.state != .registered,
            registration.revoked == nil, registration.expires > clock.now.seconds
        else { return nil }
        return registration
    }

    private func activationKey(_ hash: [UInt8], _ ott: [UInt8]) throws(CryptoError) -> [UInt8] {
        try key.sign(["activate", HexText(bytes: hash).string, HexText(bytes: ott).string])
    }
}

extension HookVerification: LinkVerification {
    /// The hash of the M-Pin ID and the key.
    var tokenDigits: Int { 128 }

    func registration(token: String) throws -> LinkedRegistration? {
        guard let (hash, activateKey) = Self.parts(of: token), let registration = try waiting(hash, activateKey),
            registration.state == .held
        else { return nil }
        return LinkedRegistration(
            user: registration.user, device: registration.device, source: nil,
            created: Timestamp(seconds: registration.created))
    }

    /// Whether the registration is confirmed. False again after the device has fetched its secret, because the key
    /// proves nothing from then on.
    func isConfirmed(token: String) throws -> Bool {
        guard let (hash, activateKey) = Self.parts(of: token) else { return false }
        return try waiting(hash, activateKey)?.state == .activated
    }

    func activate(token: String, source: RequestSource) throws -> Bool {
        guard let (hash, activateKey) = Self.parts(of: token), try registration(token: token) != nil else {
            return false
        }
        return try activate(hash, activateKey: activateKey, source: source, by: .link)
    }

    private static func parts(of token: String) -> (hash: [UInt8], activateKey: [UInt8])? {
        guard let bytes = Hex.decode(Array(token.utf8).span), bytes.count == 64 else { return nil }
        return (Array(bytes.prefix(32)), Array(bytes.suffix(32)))
    }
}
