// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
package import MPinWire

extension MPinClient {
    /// Fetches both shares of the client secret, if the identity has been verified.
    ///
    /// The shares stay in memory for ``finishRegistration(_:pin:)``. If the second authority fails, the first share is
    /// kept, and another call asks only for the second one. That works for about a minute.
    package mutating func confirmRegistration(
        _ user: User, pushNotificationIdentifier: ByteText?
    ) throws(MPinError) {
        try requireHere(user)
        try requireUnchanged(user)
        guard user.state == .startedRegistration || user.state == .activated, let regOTT = user.record.regOTT,
            let mpinID = user.record.mpinID
        else { throw user.wrongState }
        let deadline = deadline()
        let server = try server(deadline)
        let pending: PendingRegistration
        if let started = user.pending {
            pending = started
        } else {
            let proof = try proof("signature", of: user)
            pending = try MPinClient.firstShare(
                mpinID, regOTT, pushNotificationIdentifier, proof, of: user, at: server, deadline)
            user.pending = pending
        }
        let share: SecretBytes
        do throws(MPinError) {
            share = try server.clientSecret(pending.parameters, until: deadline)
        } catch {
            // An expired query stays expired. After any other error, the second share can be requested again with the
            // same first share.
            if error.code == .requestExpired { user.pending = nil }
            throw error
        }
        pending.complete(with: share)
    }

    private static func firstShare(
        _ mpinID: HexText, _ regOTT: ByteText, _ pushToken: ByteText?, _ proof: DeviceProof?, of user: User,
        at server: Server, _ deadline: Deadline
    ) throws(MPinError) -> PendingRegistration {
        do throws(MPinError) {
            return try server.signature(of: mpinID, regOTT, pushToken: pushToken, proof, until: deadline)
        } catch {
            // The server will never confirm this registration: it does not know it, or has refused it permanently.
            if let status = error.httpStatus, [400, 403, 404, 410].contains(status) { user.hasLapsed = true }
            throw error
        }
    }
}
