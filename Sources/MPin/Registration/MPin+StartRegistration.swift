internal import MPinWire

extension MPin {
    /// Starts the registration of a new identity.
    ///
    /// The server issues an M-Pin ID and either has the identity verified (STARTED_REGISTRATION) or takes it as verified
    /// (ACTIVATED), for example by an invitation code.
    /// - Parameters:
    ///   - user: one in state INVALID whose identity is not registered at this server yet.
    ///   - activateCode: an invitation.
    ///   - userData: text for the application behind the server.
    /// - Throws: IDENTITY_NOT_AUTHORIZED when the server refuses; FLOW_ERROR in another state; the user stays INVALID.
    public mutating func startRegistration(
        _ user: User, activateCode: String? = nil, userData: String? = nil
    ) throws(MPinError) {
        let deadline = deadline()
        guard user.state == .invalid, !isListed(user) else {
            throw MPinError(.flowError, "The registration of this user has been started already.")
        }
        guard !user.record.identity.isEmpty else { throw MPinError(.flowError, "A user needs an identity.") }
        guard let backend else { throw MPinError(.flowError, "No server has been chosen.") }
        let taken = MPinError(.flowError, "This identity is registered at this server already; delete or recover it.")
        guard !allUsers.contains(where: { $0.isRegistration(of: user.record.identity, at: backend.address) }) else {
            throw taken
        }
        let lock = try lock(until: deadline, create: true)
        // The list may be empty or old: what is stored decides, for its token would be lost.
        guard try !isStored(user.record.identity, at: backend.address) else { throw taken }
        let server = try server(deadline)
        let request = RegisterRequest(
            userID: user.identity, deviceName: user.deviceName.utf8.isEmpty ? nil : user.deviceName,
            activateCode: activateCode, userData: userData.map(MPin.jsonText))
        let answer = try MPin.register(request, at: server, path: Text(), deadline)
        try MPin.checkIssued(answer, for: user)

        let previous = user.record.backend
        user.record.backend = server.backend.address
        user.record.rpsPrefix = rpsPrefix == MPin.standardPrefix ? nil : rpsPrefix
        MPin.adopt(answer, from: server, by: user)
        do throws(StoreError) { try RecordFile.write(user, to: store) } catch {
            (user.record.backend, user.state) = (previous, .invalid)
            (user.record.mpinID, user.record.regOTT) = (nil, nil)
            throw MPinError(error)
        }
        allUsers.append(user)
        _ = lock.number
    }

    /// Starts the verification of an identity once more, with the same M-Pin ID where the server still knows it.
    ///
    /// - Parameters:
    ///   - user: one in state STARTED_REGISTRATION.
    ///   - userData: text for the application behind the server.
    /// - Throws: FLOW_ERROR in another state, IDENTITY_NOT_AUTHORIZED when the server refuses; nothing changes then.
    public mutating func restartRegistration(_ user: User, userData: String? = nil) throws(MPinError) {
        try restartRegistration(user, activateCode: nil, userData: userData)
    }

    /// The same with an invitation, and from ACTIVATED too: the way on where a confirmation can no longer succeed.
    package mutating func restartRegistration(
        _ user: User, activateCode: String?, userData: String?, fromActivated: Bool = false
    ) throws(MPinError) {
        let deadline = deadline()
        let server = try self.server(deadline, for: user)
        guard user.state == .startedRegistration || (fromActivated && user.state == .activated),
            let regOTT = user.record.regOTT.flatMap({ HexText(text: $0.bytes.span) }), let mpinID = user.record.mpinID
        else { throw MPinError(.flowError, "Only a started registration can be restarted.") }
        let lock = try lock(until: deadline, create: true)
        let request = RegisterRequest(
            userID: user.identity, deviceName: user.deviceName.utf8.isEmpty ? nil : user.deviceName,
            activateCode: activateCode, userData: userData.map(MPin.jsonText), regOTT: regOTT)
        let answer = try MPin.register(request, at: server, path: "/" + mpinID.digits, deadline)
        try MPin.checkIssued(answer, for: user)

        let before = (user.record.mpinID, user.record.regOTT, user.state, user.record.serverID)
        MPin.adopt(answer, from: server, by: user)
        do throws(StoreError) { try RecordFile.write(user, to: store) } catch {
            (user.record.mpinID, user.record.regOTT, user.state, user.record.serverID) = before
            throw MPinError(error)
        }
        user.pending = nil
        _ = lock.number
    }

    /// The server in use, when this user is listed and belongs to it.
    mutating func server(_ deadline: Deadline, for user: User) throws(MPinError) -> Server {
        try requireHere(user)
        return try server(deadline)
    }

    /// Refuses users of other clients and of other servers than the one in use, and those that were deleted.
    func requireHere(_ user: User) throws(MPinError) {
        guard isListed(user) else { throw MPinError(.flowError, "This user is not one of the store's.") }
        guard let backend, user.record.backend == backend.address else {
            throw MPinError(.flowError, "This user is registered at another server.")
        }
    }

    private func isStored(_ identity: Text, at backend: Text) throws(MPinError) -> Bool {
        do throws(StoreError) {
            return try RecordFile.load(store).users.contains { $0.isRegistration(of: identity, at: backend) }
        } catch .notEnrolled { return false } catch { throw MPinError(error) }
    }

    private static func register(
        _ request: RegisterRequest, at server: Server, path: Text, _ deadline: Deadline
    ) throws(MPinError) -> RegisterResponse {
        let url = try server.url(.registerURL, path)
        try server.request(.register, "PUT", url, body: request.encode(), deadline: deadline)
        return try server.transport.read { body throws(WireError) in try RegisterResponse.decode(body) }
    }

    /// Refuses an M-Pin ID that names somebody else: a token for it would log in that other person.
    private static func checkIssued(_ answer: RegisterResponse, for user: User) throws(MPinError) {
        let named: String
        do { named = try MPinIDRecord.decode(answer.mpinID.bytes.span).userID } catch {
            throw MPinError(.responseParseError, "The server issued an M-Pin ID that names nobody.")
        }
        guard named.hasSameBytes(as: user.identity) else {
            throw MPinError(.responseParseError, "The server issued an M-Pin ID for another identity.")
        }
    }

    private static func adopt(_ answer: RegisterResponse, from server: Server, by user: User) {
        user.record.mpinID = answer.mpinID
        user.record.regOTT = answer.regOTT.digits
        user.record.serverID = server.settings.serverID
        user.state = answer.active ? .activated : .startedRegistration
    }

    private static func jsonText(_ text: String) -> [UInt8] {
        JSONWriter.quoted(Text(text))
    }
}
