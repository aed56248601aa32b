// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Starts the verification of an identity again, with the same M-Pin ID if the server still knows it.
    ///
    /// A server hands out each share only once, and shares are kept only in memory. If a confirmation has fetched one
    /// of them, or the program ended before the PIN was set, a restart makes a server with device keys issue another
    /// M-Pin ID. The identity stays verified, and the first M-Pin ID is revoked.
    /// - Parameters:
    ///   - user: a user in state STARTED_REGISTRATION that has not been confirmed, or in state ACTIVATED if
    ///     ``confirmRegistration(_:pushNotificationIdentifier:)`` found that the server no longer knows the
    ///     registration.
    ///   - invitation: an invitation or backup code received meanwhile, of 16 symbols. A Milagro registration does not
    ///     accept one: delete it, and start a new one with the code.
    ///   - userData: text for the application behind the server.
    /// - Throws: IDENTITY_NOT_AUTHORIZED if the server refuses; nothing changes then. FLOW_ERROR in another state, for a
    ///   code of another form, or after both shares were fetched: then call ``finishRegistration(_:pin:)``. FLOW_ERROR
    ///   also if another process has continued the registration: the user then shows what is stored now.
    ///
    /// Milagro: `RestartRegistration`
    public mutating func restartRegistration(
        _ user: User, invitation: String? = nil, userData: String? = nil
    ) throws(MPinError) {
        try restartRegistration(user, MPinClient.invitation(invitation), userData: userData)
    }

    /// Starts the verification of an identity again with a code of the application behind the server, or the code in a
    /// mail.
    ///
    /// The code is sent as it is, whatever its form. Otherwise this is
    /// ``restartRegistration(_:invitation:userData:)`` without an invitation.
    /// - Parameters:
    ///   - user: as there.
    ///   - activateCode: the code.
    ///   - userData: text for the application behind the server.
    /// - Throws: as there.
    ///
    /// Milagro: `RestartRegistration`
    public mutating func restartRegistration(
        _ user: User, activateCode: String, userData: String? = nil
    ) throws(MPinError) {
        try restartRegistration(user, .application(activateCode), userData: userData)
    }

    /// Restarts a registration with a code whose kind the caller has decided.
    package mutating func restartRegistration(
        _ user: User, _ code: RegistrationCode?, userData: String? = nil
    ) throws(MPinError) {
        try requireHere(user)
        try requireUnchanged(user)
        guard user.state == .startedRegistration || (user.state == .activated && user.hasLapsed),
            let regOTT = user.regOTT, let mpinID = user.record.mpinID
        else { throw user.wrongState }
        guard user.pending?.isComplete != true else {
            throw MPinError(.flowError, "This user's registration is confirmed: set the PIN.")
        }
        guard code?.symbols == nil || user.hasDeviceKey else {
            throw MPinError(
                .flowError,
                "This registration was started without a device key: delete it, and start a new one with the code.",
                cause: .startedWithoutKey)
        }
        let deadline = deadline()
        let server = try server(deadline)
        var request = RegisterRequest(of: user, userData: userData, regOTT: regOTT)
        let answer: RegisterResponse
        var source: ServerKeySource?
        if let device = user.device {
            let pin = try EnrollmentPin(of: device, code: code?.symbols)
            source = pin.source
            // The key is sent again for a server that has forgotten the registration and makes another one.
            request.deviceKey = device.key.publicKey
            request.deviceProof = try proof("restart", of: user, device, regOTT)
            answer = try enroll(user, &request, code, pin, at: server, again: mpinID, until: deadline)
        } else {
            request.activateCode = code?.applicationText
            answer = try server.register(request.encode(), again: mpinID, nil, until: deadline)
        }
        try user.requireIssued(answer)
        try withStoreLock { client throws(MPinError) in
            try client.requireUnchanged(user)
            try client.keep(answer, of: user, source)
        }
        (user.pending, user.hasLapsed) = (nil, false)
    }

    /// Stores a restarted registration. If that fails, the user is as before.
    ///
    /// - Parameter source: how a registration with a device key knows the key of its server now.
    private func keep(_ answer: RegisterResponse, of user: User, _ source: ServerKeySource?) throws(MPinError) {
        let former = (user.record.mpinID, user.record.regOTT, user.record.notes, user.state)
        let formerSource = user.device?.source
        user.adopt(answer)
        if let device = user.device, let source { device.trust(device.serverKey, source) }
        do throws(StoreError) { try RecordFile.write(user, to: store) } catch {
            (user.record.mpinID, user.record.regOTT, user.record.notes, user.state) = former
            if let device = user.device, let formerSource { device.trust(device.serverKey, formerSource) }
            throw MPinError(error)
        }
    }
}
