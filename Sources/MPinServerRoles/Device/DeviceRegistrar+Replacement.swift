// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// Registrations whose share was sent and lost. Clients keep shares only in memory.
extension DeviceRegistrar {
    /// Makes a registration that replaces one that was never used, for the device that has the key of both. It needs no
    /// verification, because the old one could have logged in. It gets a new M-Pin ID: if a share were sent twice, a
    /// copy of the old record could log in without the PIN.
    ///
    /// - Parameter codeProof: the server's proof that it knows the code that the client has named.
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
