// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Fetches both shares of the client secret, if the identity has been verified.
    ///
    /// The shares stay in memory for ``finishRegistration(_:pin:)``. If the second authority fails, the first share is
    /// kept, and another call asks only for the second one. That works for about a minute.
    /// - Parameters:
    ///   - user: a user in state STARTED_REGISTRATION or ACTIVATED; the state does not change.
    ///   - pushNotificationIdentifier: where the server may send push messages for this user.
    /// - Throws: IDENTITY_NOT_VERIFIED while the identity is not verified, or if the registration has expired. After
    ///   that, only ``restartRegistration(_:activateCode:userData:)`` helps, which then works in state ACTIVATED too.
    ///   FLOW_ERROR if another process has continued the registration.
    ///
    /// Milagro: `ConfirmRegistration`
    public mutating func confirmRegistration(
        _ user: User, pushNotificationIdentifier: String? = nil
    ) throws(MPinError) {
        try requireHere(user)
        try requireUnchanged(user)
        guard user.state == .startedRegistration || user.state == .activated, let regOTT = user.regOTT,
            let mpinID = user.record.mpinID
        else { throw user.wrongState }
        let deadline = deadline()
        let server = try server(deadline)
        if user.hasDeviceKey { server.stayAtAddress() }
        let pending: PendingRegistration
        if let started = user.pending {
            pending = started
        } else {
            pending = try firstShare(mpinID, regOTT, pushNotificationIdentifier, of: user, at: server, deadline)
            user.pending = pending
        }
        let share: SecretBytes
        do throws(MPinError) { share = try server.clientSecret(of: pending, until: deadline) } catch {
            // An expired query stays expired. After any other error, the second share can be requested again with the
            // same first share.
            if error.code == .requestExpired { user.pending = nil }
            throw error
        }
        pending.complete(with: share)
    }

    private func firstShare(
        _ mpinID: HexText, _ regOTT: HexText, _ pushToken: String?, of user: User, at server: Server,
        _ deadline: Deadline
    ) throws(MPinError) -> PendingRegistration {
        var query = SignatureQuery(regOTT: regOTT, pushToken: pushToken)
        var check: AnswerCheck?
        if let device = user.device {
            query.deviceProof = try proof("signature", of: user, device, regOTT)
            check = try EnrollmentPin(of: device).check("signature", mpinID, Array(query.encode().utf8))
        }
        do throws(MPinError) {
            return try server.signature(of: mpinID, ByteText(query.encode()), check, until: deadline)
        } catch {
            // The server will never confirm this registration: it does not know it, or has refused it permanently. The
            // error for an answer that is not proven has no status.
            if let status = error.httpStatus, [400, 403, 404, 410].contains(status) { user.hasLapsed = true }
            throw error
        }
    }
}
