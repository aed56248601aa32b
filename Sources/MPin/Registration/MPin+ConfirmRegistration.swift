internal import MPinCrypto
internal import MPinWire

extension MPin {
    /// Fetches both shares of the client secret, if the identity has been verified.
    ///
    /// They stay in memory for ``finishRegistration(_:pin:)``. When the second authority fails, the first share is kept and
    /// a further call asks only for the second, which works for about a minute.
    /// - Parameters:
    ///   - user: one in state STARTED_REGISTRATION or ACTIVATED; its state does not change.
    ///   - pushNotificationIdentifier: where the server may send push messages for this user.
    /// - Throws: IDENTITY_NOT_VERIFIED while the identity is not verified, or when the registration has lapsed.
    public mutating func confirmRegistration(
        _ user: User, pushNotificationIdentifier: String? = nil
    ) throws(MPinError) {
        let deadline = deadline()
        let server = try server(deadline, for: user)
        guard user.state == .startedRegistration || user.state == .activated, let regOTT = user.record.regOTT,
            let mpinID = user.record.mpinID
        else {
            throw MPinError(.flowError, "Only a started registration can be confirmed.")
        }
        if user.pending == nil {
            var query = Query()
            query.add(.regOTT, regOTT)
            if let pushNotificationIdentifier { query.add(.pmiToken, pushNotificationIdentifier) }
            let url = try server.url(.signatureURL, "/" + mpinID.digits + "?" + query.text)
            try server.request(.signature, "GET", url, deadline: deadline)
            let (answer, share) = try server.transport.readShare { body, share throws(WireError) in
                try SignatureResponse.decode(body, share: &share)
            }
            user.pending = PendingRegistration(first: try share.take(), parameters: Text(answer.params))
        }
        guard let pending = user.pending else { return }
        do throws(MPinError) {
            let url = try server.secondAuthorityURL("clientSecret?" + pending.parameters)
            try server.request(.clientSecret, "GET", url, deadline: deadline)
        } catch {
            // What has lapsed will not come back; everything else may be asked for again with the same first share.
            if error.code == .requestExpired { user.pending = nil }
            throw error
        }
        let (_, share) = try server.transport.readShare { body, share throws(WireError) in
            try ClientSecretResponse.decode(body, share: &share)
        }
        pending.complete(with: try share.take())
    }
}
