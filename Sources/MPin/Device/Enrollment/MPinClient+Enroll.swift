// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Starts or restarts a registration with a device key, and checks the answer's proofs.
    ///
    /// - Parameters:
    ///   - request: receives the code: an enrollment code by its name, any other as it is.
    ///   - mpinID: the M-Pin ID of a registration that is restarted.
    func enroll(
        _ user: User, _ request: inout RegisterRequest, _ code: RegistrationCode?, _ pin: EnrollmentPin,
        at server: Server, again mpinID: HexText? = nil, until deadline: Deadline
    ) throws(MPinError) -> RegisterResponse {
        guard let deviceKey = request.deviceKey else { throw MPinClient.noServerProof }
        server.stayAtAddress()
        request.code = try pin.namedCode(for: user, deviceKey: deviceKey)
        if request.code == nil { request.activateCode = code?.text }
        let body = request.encode()
        let check = try pin.check(mpinID == nil ? "register" : "restart", mpinID, body)
        let answer = try server.register(body, again: mpinID, check, until: deadline)
        try pin.require(answer.codeProof, for: user, deviceKey: deviceKey)
        learnTime(from: answer)
        return answer
    }

    /// Proves that a request for an unfinished registration comes from the device that has its key.
    ///
    /// - Parameters:
    ///   - request: the name of the request.
    ///   - regOTT: the registration's token.
    func proof(
        _ request: StaticString, of user: User, _ device: DeviceRegistration, _ regOTT: HexText
    ) throws(MPinError) -> DeviceProof {
        let offset = CachedLogin.read(mpinID: try user.requireMPinID(), from: store).record.clockOffset
        return try device.proof(
            request, of: user, regOTT: regOTT.bytes, offset, tpm: options.tpmDevice, until: deadline()
        ).proof
    }

    /// Stores the difference between the clocks, if the server that began a registration reports a time that differs by
    /// more than a request takes. What the device signs next must have the server's time.
    private func learnTime(from answer: RegisterResponse) {
        guard let time = answer.nowTime.flatMap(SigningClock.milliseconds), let offset = SigningClock.offset(of: time)
        else { return }
        let cache = CachedLogin.read(mpinID: answer.mpinID, from: store)
        guard offset.magnitude > 10_000 || cache.record.clockOffset != nil else { return }
        cache.learnTime(time)
        cache.write(to: store)
    }
}
