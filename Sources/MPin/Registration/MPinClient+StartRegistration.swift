// SPDX-License-Identifier: Apache-2.0
#if !hasFeature(Embedded)
internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Starts the registration of a new identity.
    ///
    /// The server issues an M-Pin ID. It then either has the identity verified (STARTED_REGISTRATION) or accepts it as
    /// verified (ACTIVATED), for example because of an invitation code.
    ///
    /// A server that can prove which key it has gives the registration a pin: from then on, only answers that this key
    /// has signed count. An invitation or backup code of 16 symbols is never sent: client and server prove to each
    /// other that they know it, so the pin is right even if an attacker between them has a trusted certificate. Without
    /// such a code, `serverKey` decides, or else TLS.
    /// - Parameters:
    ///   - user: a user in state INVALID whose identity is not registered at this server yet.
    ///   - activateCode: an invitation code.
    ///   - userData: text for the application behind the server.
    ///   - serverKey: the fingerprint that the key of the server must have.
    /// - Throws: IDENTITY_NOT_AUTHORIZED if the server refuses; NETWORK_ERROR also if it cannot prove its key or the
    ///   code, or has another key; FLOW_ERROR in another state. The user stays INVALID.
    ///
    /// Milagro: `StartRegistration`
    public mutating func startRegistration(
        _ user: User, activateCode: String? = nil, userData: String? = nil, serverKey: String? = nil
    ) throws(MPinError) {
        guard user.state == .invalid, !isListed(user) else { throw user.wrongState }
        guard !user.record.identity.isEmpty else { throw MPinError(.flowError, "A user needs an identity.") }
        guard let backend else { throw MPinClient.noServer }
        try withStoreLock { client throws(MPinError) in
            try client.requireFree(user.record.identity, at: backend.address)
        }
        let symbols = activateCode.flatMap { EnrollmentCode.symbols($0) }
        let required = try requiredServerKey(serverKey, of: user, at: backend)
        let first = try server(deadline())
        try first.requireEnrollmentAddresses(until: deadline())
        let pin = try offeredPin(first, code: symbols, required, until: deadline())
        if pin != nil { first.stayAtAddress() }
        let key = first.takesDeviceKeys ? try makeKey(for: user) : nil
        if key == nil, case .tpm = options.newKey {
            throw MPinError(.flowError, "The server does not accept device keys, so none can be made in the TPM.")
        }
        try withStoreLock { client throws(MPinError) in
            try client.requireFree(user.record.identity, at: backend.address, pin?.key)
        }
        // Making a key can take seconds.
        let deadline = deadline()
        let server = try server(deadline)
        var request = RegisterRequest(
            userID: user.identity, deviceName: user.deviceName.utf8.isEmpty ? nil : user.deviceName,
            userData: userData.map { JSONWriter.quoted($0) }, deviceKey: key?.publicKey)
        try set(activateCode, in: &request, of: user, pin)
        let answer = try register(request, of: user, at: server, pin, deadline)

        try withStoreLock { client throws(MPinError) in
            try client.requireFree(user.record.identity, at: backend.address, pin?.key)
            let previous = user.record.backend
            user.record.backend = server.backend.address
            user.record.rpsPrefix = client.rpsPrefix == MPinClient.standardPrefix ? nil : client.rpsPrefix
            MPinClient.adopt(answer, from: server, by: user, pin)
            user.key = key
            do throws(StoreError) { try RecordFile.write(user, to: client.store) } catch {
                user.key = nil
                user.record.unpin()
                (user.record.backend, user.state) = (previous, .invalid)
                (user.record.mpinID, user.record.regOTT) = (nil, nil)
                throw MPinError(error)
            }
        }
        allUsers.append(user)
    }

    /// Starts the verification of an identity again, with the same M-Pin ID if the server still knows it.
    ///
    /// A server hands out each share only once, and shares are kept only in memory. If a confirmation has fetched one
    /// of them, or the program ended before the PIN was set, a restart makes a server with device keys issue another
    /// M-Pin ID. The identity stays verified, and the first M-Pin ID is revoked.
    /// - Parameters:
    ///   - user: a user in state STARTED_REGISTRATION that has not been confirmed, or in state ACTIVATED if
    ///     ``confirmRegistration(_:pushNotificationIdentifier:)`` found that the server no longer knows the
    ///     registration.
    ///   - activateCode: a code received meanwhile: an invitation code, or the code in a mail. A code of 16 symbols
    ///     gives the registration a pin if it has none yet; see
    ///     ``startRegistration(_:activateCode:userData:serverKey:)``.
    ///   - userData: text for the application behind the server.
    /// - Throws: IDENTITY_NOT_AUTHORIZED if the server refuses; nothing changes then. FLOW_ERROR in another state, or
    ///   after both shares were fetched: then call ``finishRegistration(_:pin:)``. FLOW_ERROR also if another process
    ///   has continued the registration: the user then shows what is stored now.
    ///
    /// Milagro: `RestartRegistration`
    public mutating func restartRegistration(
        _ user: User, activateCode: String? = nil, userData: String? = nil
    ) throws(MPinError) {
        try requireHere(user)
        try requireUnchanged(user)
        guard user.state == .startedRegistration || (user.state == .activated && user.hasLapsed),
            let regOTT = user.regOTT, let mpinID = user.record.mpinID
        else { throw user.wrongState }
        guard user.pending?.isComplete != true else {
            throw MPinError(.flowError, "This user's registration is confirmed: set the PIN.")
        }
        let deadline = deadline()
        let server = try server(deadline)
        let symbols = activateCode.flatMap { EnrollmentCode.symbols($0) }
        var pin = try EnrollmentPin.stored(user, code: symbols)
        // A server whose name is a key's hash may make another registration, which then has a pin.
        if pin == nil, symbols != nil || server.settings.serverID?.bytes.count == Hash.byteCount {
            pin = try offeredPin(server, code: symbols, nil, until: deadline)
            try withStoreLock { client throws(MPinError) in
                try client.requireOnly(user, with: pin?.key)
            }
        }
        if pin != nil { server.stayAtAddress() }
        var request = RegisterRequest(
            userID: user.identity, deviceName: user.deviceName.utf8.isEmpty ? nil : user.deviceName,
            userData: userData.map { JSONWriter.quoted($0) }, regOTT: regOTT,
            // The proof is sent again for a server that has forgotten the registration and makes another one.
            deviceKey: user.key?.publicKey, deviceProof: try proof("restart", of: user))
        try set(activateCode, in: &request, of: user, pin)
        let answer = try register(request, of: user, again: mpinID, at: server, pin, deadline)

        try withStoreLock { client throws(MPinError) in
            try client.requireUnchanged(user)
            let former = (user.twin().record, user.record.regOTT, user.state)
            MPinClient.adopt(answer, from: server, by: user, pin)
            do throws(StoreError) { try RecordFile.write(user, to: client.store) } catch {
                (user.record.mpinID, user.record.regOTT, user.state) = (former.0.mpinID, former.1, former.2)
                user.record.takePin(of: former.0)
                throw MPinError(error)
            }
        }
        (user.pending, user.hasLapsed) = (nil, false)
    }

    /// Puts a code into a request: an enrollment code by its name, any other as it is.
    private func set(
        _ code: String?, in request: inout RegisterRequest, of user: User, _ pin: EnrollmentPin?
    ) throws(MPinError) {
        guard let code else { return }
        guard !EnrollmentCode.isMistyped(code) else {
            throw MPinError(.flowError, "This is not a valid enrollment code. Check for a mistyped character.")
        }
        guard EnrollmentCode.symbols(code) != nil else {
            request.activateCode = code
            return
        }
        guard let pin, let deviceKey = request.deviceKey,
            let named = try pin.namedCode(for: user, deviceKey: deviceKey)
        else { throw EnrollmentPin.notOffered }
        request.code = named
    }

    private func register(
        _ request: RegisterRequest, of user: User, again mpinID: HexText? = nil, at server: Server,
        _ pin: EnrollmentPin?, _ deadline: Deadline
    ) throws(MPinError) -> RegisterResponse {
        let body = request.encode()
        var check: AnswerCheck?
        if let pin {
            // A registration with a pin has a device key: the server signs no other answer.
            guard request.deviceKey != nil else { throw EnrollmentPin.notOffered }
            check = try pin.check(mpinID == nil ? "register" : "restart", mpinID, body)
        }
        let answer = try server.register(body, again: mpinID, check, until: deadline)
        if let pin, let deviceKey = request.deviceKey {
            try pin.require(answer.codeProof, for: user, deviceKey: deviceKey)
        }
        try MPinClient.checkIssued(answer, for: user)
        learnTime(from: answer)
        return answer
    }

    /// Makes sure that an identity is not registered here yet, by this client or by another process: its token would be
    /// lost. The caller holds the lock.
    ///
    /// - Parameter key: the key of the server, which may have another registration of the identity at another address.
    private mutating func requireFree(
        _ identity: ByteText, at backend: ByteText, _ key: HexText? = nil
    ) throws(MPinError) {
        let stored = try reread()
        for user in stored + allUsers where user.record.identity == identity {
            if user.record.backend == backend || key != nil && user.record.serverKey == key {
                throw MPinClient.registeredAlready
            }
        }
    }

    /// Makes sure that no other registration of a user's identity has the server key that the user is about to get. The
    /// caller holds the lock.
    private mutating func requireOnly(_ user: User, with key: HexText?) throws(MPinError) {
        for other in try reread()
        where key != nil && other.record.serverKey == key && other.record.identity == user.record.identity {
            throw MPinClient.registeredAlready
        }
    }

    private static var registeredAlready: MPinError {
        MPinError(.flowError, "This identity is already registered at this server: delete or recover it first.")
    }

    /// Refuses an M-Pin ID of another identity: a token for it would log in that other user.
    private static func checkIssued(_ answer: RegisterResponse, for user: User) throws(MPinError) {
        let named: ByteText
        do { named = ByteText(try MPinIDRecord.decode(answer.mpinID.bytes.span).userID) } catch {
            throw MPinError(.responseParseError, "The server issued an M-Pin ID without an identity.")
        }
        guard named == user.record.identity else {
            throw MPinError(.responseParseError, "The server issued an M-Pin ID for another identity.")
        }
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

    private static func adopt(_ answer: RegisterResponse, from server: Server, by user: User, _ pin: EnrollmentPin?) {
        user.record.mpinID = answer.mpinID
        user.record.regOTT = answer.regOTT.digits
        if let pin {
            user.record.pin(pin.key, hash: pin.hash, pin.source)
        } else {
            user.record.serverID = server.settings.serverID?.lowercased.digits
        }
        user.state = answer.active ? .activated : .startedRegistration
        // A restart need not repeat what the start has returned.
        var notes = user.notes
        if let device = answer.device { notes.device = device }
        if let count = answer.backupCodes { notes.backupCodes = count }
        user.notes = notes
    }

    private func makeKey(for user: User) throws(MPinError) -> RegistrationKey {
        let made = try RegistrationKey.make(options)
        user.tpmFault = made.tpmFault
        return made.key
    }
}
#endif
