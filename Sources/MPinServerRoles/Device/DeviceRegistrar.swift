// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// Registrations with a device key, which they have from their first moment. All answers have the server's proof.
struct DeviceRegistrar: ServerComponent {
    /// The requests of an enrollment, by the words in what devices and the server sign.
    private enum Word: String {
        case register, restart, signature

        var bytes: [UInt8] { Array(rawValue.utf8) }
    }

    let context: ServerContext
    let registrar: Registrar
    let signatures: DeviceSignatures

    /// Begins a registration.
    func register(
        _ request: RegisterRequest, key: HexText, content: [UInt8], source: RequestSource
    ) throws -> RouteResult {
        try proven(.register, content: content) {
            try registrar.onHookThread { try begin(request, key, source: source) }
        }
    }

    /// Restarts a registration. One that has expired, or that never existed, begins as a new one. So does one whose
    /// share was sent, unless it was never used: then a new registration replaces it.
    func restart(
        _ mpinID: HexText, _ request: RegisterRequest, key: HexText, content: [UInt8], source: RequestSource
    ) throws -> RouteResult {
        try proven(.restart, mpinID: mpinID.bytes, content: content) {
            try registrar.onHookThread { try resume(mpinID, request, key, source: source) }
        }
    }

    /// Gives the first share of the secret.
    func signature(
        _ mpinID: HexText, _ query: SignatureQuery, _ proof: DeviceProof, content: [UInt8], source: RequestSource
    ) throws -> RouteResult {
        try proven(.signature, mpinID: mpinID.bytes, content: content) {
            let hash = try Hash.sha256(mpinID.bytes)
            let known = try signed(hash, .signature, mpinID, regOTT: query.regOTT, proof)
            return .now(
                try registrar.firstShare(
                    hash, of: known?.registration, regOTT: query.regOTT, authorityURL: context.authorityURL,
                    source: source))
        }
    }

    private func proven(
        _ word: Word, mpinID: [UInt8] = [], content: [UInt8], _ work: () throws -> RouteResult
    ) throws -> RouteResult {
        let digest = try ServerStatement.enrollmentRequest(word.bytes, mpinID: mpinID, content: content)
        return context.proven(.enrollment, to: digest, work)
    }

    private func begin(_ request: RegisterRequest, _ key: HexText, source: RequestSource) throws -> RegisterResponse {
        try registrar.check(request)
        let deviceKey: [UInt8]
        do throws(CryptoError) { deviceKey = try DevicePublicKey(key.bytes).bytes } catch .invalidPoint {
            throw Refusal(400, "Invalid data received. deviceKey argument invalid")
        }
        let admission =
            try namedCode(in: request, deviceKey: deviceKey, source: source) ?? registrar.admit(request, source: source)
        return try registrar.begin(request, deviceKey: deviceKey, admission, source: source)
    }

    private func resume(
        _ mpinID: HexText, _ request: RegisterRequest, _ key: HexText, source: RequestSource
    ) throws -> RegisterResponse {
        try registrar.check(request)
        let hash = try Hash.sha256(mpinID.bytes)
        let known = try signed(hash, .restart, mpinID, regOTT: request.regOTT, request.deviceProof)
        guard let (old, deviceKey) = known, old.expires > clock.now.seconds, old.revoked == nil else {
            return try begin(request, key, source: source)
        }
        let regOTT = try registrar.demandOwn(request, of: old, source: source)
        let named = try namedCode(in: request, deviceKey: deviceKey, source: source)
        guard old.state != .registered else {
            return try replace(hash, of: old, request, codeProof: named?.proof, source: source)
                ?? begin(request, key, source: source)
        }
        return try registrar.resume(
            old, mpinID, request, regOTT: regOTT, named: named, hidesWait: false, source: source)
    }

    /// A registration with a key. Without its device's signature it does not exist.
    private func signed(
        _ hash: [UInt8], _ word: Word, _ mpinID: HexText, regOTT: HexText?, _ proof: DeviceProof?
    ) throws -> (registration: RegistrationEntry, key: [UInt8])? {
        let registration = try store.registration(hash)
        guard let proof, let regOTT, SignatureWindow.isNear(Int64(proof.time), to: clock.now.milliseconds) else {
            return nil
        }
        let digest = try DeviceStatement.request(
            word.bytes, serverID: context.key.hash, mpinID: mpinID.bytes, time: UInt64(proof.time),
            regOTT: regOTT.bytes)
        // Checked for every registration, so that known and unknown ones take nearly the same time.
        let isSigned = try signatures.accept(proof.signature.bytes, over: digest, by: registration?.deviceKey)
        guard isSigned, let registration, let key = registration.deviceKey else { return nil }
        return (registration, key)
    }

    /// What the code admits that a client has named and proved to know; nil if it has named none.
    ///
    /// - Parameter deviceKey: the key of the registration, which the client's proof must name. So a proof that was
    ///   seen on the way admits no other device.
    private func namedCode(
        in request: RegisterRequest, deviceKey: [UInt8], source: RequestSource
    ) throws -> Registrar.Admission? {
        guard let named = request.code else { return nil }
        try demand(limits.registrations, source)
        guard let known = try registrar.codes.find(named.name.bytes, user: request.userID) else {
            throw registrar.refused(request, source: source)
        }
        let user = Array(request.userID.utf8)
        let expected = try known.secret.clientProof(user: user, deviceKey: deviceKey, serverKeyHash: context.key.hash)
        guard Hash.equal(named.proof.bytes, expected) else { throw registrar.refused(request, source: source) }
        let proof = try known.secret.serverProof(user: user, deviceKey: deviceKey, serverKeyHash: context.key.hash)
        return Registrar.Admission(state: .activated, code: known.admission, proof: HexText(bytes: proof))
    }
}

extension DeviceRegistrar {
    /// The proof that the server knows a code, before a client trusts anything that the server says. Says nothing of
    /// whether the code is still valid.
    func helloProof(of code: HelloRequest.Code, challenge: HexText, source: RequestSource) throws -> HexText {
        guard UserName.isValid(code.userID) else {
            throw Refusal(.malformed, "Invalid data received. userId argument invalid")
        }
        try demand(limits.registrations, source)
        guard let known = try registrar.codes.find(code.name.bytes, user: code.userID) else {
            throw registrar.refusedCode(user: code.userID, source: source)
        }
        return HexText(
            bytes: try known.secret.helloProof(
                user: Array(code.userID.utf8), challenge: challenge.bytes, serverKeyHash: context.key.hash))
    }
}

/// Registrations whose share was sent and lost. Clients keep shares only in memory.
extension DeviceRegistrar {
    /// Makes a registration that replaces one that was never used, for the device that has the key of both. It needs no
    /// verification, because the old one could have logged in. It gets a new M-Pin ID: if a share were sent twice, a
    /// copy of the old record could log in without the PIN.
    ///
    /// - Returns: nil, and nothing changed, if the old one has been used in the meantime.
    func replace(
        _ hash: [UInt8], of old: RegistrationEntry, _ request: RegisterRequest, codeProof: HexText?,
        source: RequestSource
    ) throws -> RegisterResponse? {
        let now = clock.now
        let expires = now.adding(seconds: Int64(configuration.registrationSeconds))
        let (mpinID, regOTT) = try Registrar.issue(request, at: now)
        let new = NewRegistration(
            hash: try Hash.sha256(mpinID.bytes), user: old.user, device: Registrar.device(request),
            mobile: request.mobile, state: .activated, ott: try Hash.sha256(regOTT.bytes), created: now.seconds,
            expires: expires.seconds, userData: Registrar.userData(request), deviceKey: old.deviceKey)
        let number = try store.replaceRegistration(
            hash, by: new, event: AuditEvent(.registrationRestarted, at: now, user: old.user, source: source.text))
        guard let number else { return nil }
        context.metrics.count(ServerMetrics.Registration.begun)
        return RegisterResponse(
            mpinID: mpinID, regOTT: regOTT, active: true, expireTime: expires.fractional, nowTime: now.fractional,
            device: number, codeProof: codeProof)
    }
}
