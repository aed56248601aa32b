// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension MPinClient {
    /// Starts the registration of a new identity.
    ///
    /// The server issues an M-Pin ID. It then either has the identity verified (STARTED_REGISTRATION) or accepts it as
    /// verified (ACTIVATED), for example because of an invitation code.
    /// - Parameters:
    ///   - user: a user in state INVALID whose identity is not registered at this server yet.
    ///   - activateCode: an invitation code.
    ///   - userData: text for the application behind the server.
    /// - Throws: IDENTITY_NOT_AUTHORIZED if the server refuses; FLOW_ERROR in another state. The user stays INVALID.
    ///
    /// Milagro: `StartRegistration`
    public mutating func startRegistration(
        _ user: User, activateCode: String? = nil, userData: String? = nil
    ) throws(MPinError) {
        guard user.state == .invalid, !isListed(user) else { throw user.wrongState }
        guard !user.record.identity.isEmpty else { throw MPinError(.flowError, "A user needs an identity.") }
        guard let backend else { throw MPinClient.noServer }
        try withStoreLock { client throws(MPinError) in
            try client.requireFree(user.record.identity, at: backend.address)
        }
        let first = try server(deadline())
        try first.requireEnrollmentAddresses(until: deadline())
        let key = first.takesDeviceKeys ? try makeKey(for: user) : nil
        #if !hasFeature(Embedded)
        if key == nil, case .tpm = options.newKey {
            throw MPinError(.flowError, "The server does not accept device keys, so none can be made in the TPM.")
        }
        #endif
        // Making a key can take seconds.
        let deadline = deadline()
        let server = try server(deadline)
        let request = RegisterRequest(
            userID: user.identity, deviceName: user.deviceName.utf8.isEmpty ? nil : user.deviceName,
            activateCode: activateCode, userData: userData.map { JSONWriter.quoted($0) }, deviceKey: key?.publicKey)
        let answer = try register(request, of: user, at: server, deadline)

        try withStoreLock { client throws(MPinError) in
            try client.requireFree(user.record.identity, at: backend.address)
            let previous = user.record.backend
            user.record.backend = server.backend.address
            user.record.rpsPrefix = client.rpsPrefix == MPinClient.standardPrefix ? nil : client.rpsPrefix
            MPinClient.adopt(answer, from: server, by: user)
            user.key = key
            do throws(StoreError) { try RecordFile.write(user, to: client.store) } catch {
                user.key = nil
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
    ///   - activateCode: a code received meanwhile: an invitation code, or the code in a mail.
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
        let request = RegisterRequest(
            userID: user.identity, deviceName: user.deviceName.utf8.isEmpty ? nil : user.deviceName,
            activateCode: activateCode, userData: userData.map { JSONWriter.quoted($0) }, regOTT: regOTT,
            // The proof is sent again for a server that has forgotten the registration and makes another one.
            deviceKey: user.key?.publicKey, deviceProof: try proof("restart", of: user))
        let answer = try register(request, of: user, again: mpinID, at: server, deadline)

        try withStoreLock { client throws(MPinError) in
            try client.requireUnchanged(user)
            let before = (user.record.mpinID, user.record.regOTT, user.state, user.record.serverID)
            MPinClient.adopt(answer, from: server, by: user)
            do throws(StoreError) { try RecordFile.write(user, to: client.store) } catch {
                (user.record.mpinID, user.record.regOTT, user.state, user.record.serverID) = before
                throw MPinError(error)
            }
        }
        (user.pending, user.hasLapsed) = (nil, false)
    }

    private func register(
        _ request: RegisterRequest, of user: User, again mpinID: HexText? = nil, at server: Server, _ deadline: Deadline
    ) throws(MPinError) -> RegisterResponse {
        let answer = try server.register(request, again: mpinID, until: deadline)
        try MPinClient.checkIssued(answer, for: user)
        learnTime(from: answer)
        return answer
    }

    /// Makes sure that an identity is not registered here yet, by this client or by another process: its token would be
    /// lost. The caller holds the lock.
    private mutating func requireFree(_ identity: ByteText, at backend: ByteText) throws(MPinError) {
        let stored = try reread()
        guard !(stored + allUsers).contains(where: { $0.isRegistration(of: identity, at: backend) }) else {
            throw MPinError(
                .flowError, "This identity is already registered at this server: delete or recover it first.")
        }
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
        #if !hasFeature(Embedded)
        guard let time = answer.nowTime.flatMap(SigningClock.milliseconds), let offset = SigningClock.offset(of: time)
        else { return }
        let cache = CachedLogin.read(mpinID: answer.mpinID, from: store)
        guard offset.magnitude > 10_000 || cache.record.clockOffset != nil else { return }
        cache.learnTime(time)
        cache.write(to: store)
        #endif
    }

    private static func adopt(_ answer: RegisterResponse, from server: Server, by user: User) {
        user.record.mpinID = answer.mpinID
        user.record.regOTT = answer.regOTT.digits
        user.record.serverID = server.settings.serverID?.lowercased.digits
        user.state = answer.active ? .activated : .startedRegistration
        #if !hasFeature(Embedded)
        // A restart need not repeat what the start has returned.
        var notes = user.notes
        if let device = answer.device { notes.device = device }
        if let count = answer.backupCodes { notes.backupCodes = count }
        user.notes = notes
        #endif
    }

    private func makeKey(for user: User) throws(MPinError) -> RegistrationKey {
        #if hasFeature(Embedded)
        return try RegistrationKey(isPending: false)
        #else
        let made = try RegistrationKey.make(options)
        user.tpmFault = made.tpmFault
        return made.key
        #endif
    }
}
