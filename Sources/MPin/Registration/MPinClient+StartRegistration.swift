// SPDX-License-Identifier: Apache-2.0
package import MPinWire

extension MPinClient {
    /// Starts the registration of a new identity.
    ///
    /// The server issues an M-Pin ID. It then either has the identity verified (STARTED_REGISTRATION) or accepts it as
    /// verified (ACTIVATED), for example because of an invitation code. If the server supports device keys, the call
    /// makes one for this device, which signs all further requests about the registration.
    package mutating func startRegistration(
        _ user: User, activateCode: ByteText?, userData: ByteText?
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
            activateCode: activateCode?.string, userData: userData.map(JSONWriter.quoted),
            deviceKey: key?.publicKey)
        let answer = try server.register(request, until: deadline)
        try MPinClient.checkIssued(answer, for: user)
        learnTime(from: answer)

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
    /// A server that has already handed out a share issues another M-Pin ID for the same device, which is verified, and
    /// revokes the first one.
    package mutating func restartRegistration(
        _ user: User, activateCode: ByteText?, userData: ByteText?
    ) throws(MPinError) {
        try requireHere(user)
        try requireUnchanged(user)
        guard user.state == .startedRegistration || (user.state == .activated && user.hasLapsed),
            let regOTT = user.record.regOTT.flatMap({ HexText(text: $0.bytes.span) }), let mpinID = user.record.mpinID
        else { throw user.wrongState }
        guard user.pending?.isComplete != true else {
            throw MPinError(.flowError, "This user's registration is confirmed: set the PIN.")
        }
        let deadline = deadline()
        let server = try server(deadline)
        let request = RegisterRequest(
            userID: user.identity, deviceName: user.deviceName.utf8.isEmpty ? nil : user.deviceName,
            activateCode: activateCode?.string, userData: userData.map(JSONWriter.quoted), regOTT: regOTT,
            // The proof is sent again for a server that has forgotten the registration and makes another one.
            deviceKey: user.key?.publicKey, deviceProof: try proof("restart", of: user))
        let answer = try server.register(request, again: mpinID, until: deadline)
        try MPinClient.checkIssued(answer, for: user)
        learnTime(from: answer)

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
