// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// Registrations of clients without a device key, as in 2016. They never get one.
struct MilagroRegistrar: ServerComponent {
    let context: ServerContext
    let registrar: Registrar

    func register(_ request: RegisterRequest, source: RequestSource) throws -> RouteResult {
        try registrar.onHookThread { try begin(request, source: source) }
    }

    /// Restarts a registration. One that has expired, that never existed, or whose share was sent begins as a new one.
    func restart(_ mpinID: HexText, _ request: RegisterRequest, source: RequestSource) throws -> RouteResult {
        try registrar.onHookThread {
            try registrar.check(request)
            guard let old = try taken(Hash.sha256(mpinID.bytes)), old.expires > clock.now.seconds,
                old.revoked == nil, old.state != .registered
            else { return try begin(request, source: source) }
            try demandAllowed(request, source: source)
            let regOTT = try registrar.demandOwn(request, of: old, source: source)
            // Such a client would take a refusal for the end of the registration. The previous mail is still valid.
            return try registrar.resume(
                old, mpinID, request, regOTT: regOTT, named: nil, hidesWait: true, source: source)
        }
    }

    func signature(_ mpinID: HexText, _ query: SignatureQuery, source: RequestSource) throws -> RouteResult {
        let hash = try Hash.sha256(mpinID.bytes)
        return .now(
            try registrar.firstShare(hash, of: taken(hash), regOTT: query.regOTT, authorityURL: nil, source: source))
    }

    private func begin(_ request: RegisterRequest, source: RequestSource) throws -> RegisterResponse {
        try registrar.check(request)
        try demandAllowed(request, source: source)
        return try registrar.begin(request, deviceKey: nil, registrar.admit(request, source: source), source: source)
    }

    /// A registration that requests without a signature may use.
    private func taken(_ hash: [UInt8]) throws -> RegistrationEntry? {
        try store.registration(hash).flatMap { takesPasses($0) ? $0 : nil }
    }

    /// Refuses new registrations without a key, unless the administrator allows them.
    private func demandAllowed(_ request: RegisterRequest, source: RequestSource) throws {
        guard configuration.legacy != .allow else { return }
        registrar.note(.noDeviceKey, request, source: source)
        throw Refusal(
            403, "This server accepts new registrations only with a device key, which this client does not have")
    }
}
