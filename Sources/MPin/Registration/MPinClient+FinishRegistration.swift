// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Splits the client secret into the PIN and the token, and stores the token.
    ///
    /// - Parameters:
    ///   - user: a user whose registration has been confirmed.
    ///   - pin: the new PIN: 4 to 6 digits that are not all zero. The caller decides whether to accept other weak PINs;
    ///     see ``PIN/weakness()``.
    /// - Throws: PIN_INPUT_CANCELED for any other PIN, FLOW_ERROR without shares, CRYPTO_ERROR, STORAGE_ERROR; after
    ///   any of these the registration can still be finished. FLOW_ERROR also if another process has continued the
    ///   registration.
    ///
    /// Milagro: `FinishRegistration`
    public mutating func finishRegistration(_ user: User, pin: borrowing PIN) throws(MPinError) {
        try requireHere(user)
        guard user.state == .startedRegistration || user.state == .activated, let mpinID = user.record.mpinID?.bytes
        else { throw user.wrongState }
        try pin.requireUsable()
        var token: SecretBytes?
        let clientSecret: SecretBytes?
        do throws(CryptoError) { clientSecret = try user.pending?.clientSecret() } catch { throw MPinError(error) }
        guard let clientSecret else {
            throw MPinError(.flowError, "The registration has not been confirmed: confirm it first.")
        }
        do throws(CryptoError) {
            let factor = try PINFactor(pin: pin.bytes, scheme: .decimal)
            token = try ClientToken.extract(
                identity: try Identity(mpinID: mpinID), factor: factor, clientSecret: clientSecret)
        } catch { throw MPinError(error) }

        let length = pin.count
        try withStoreLock { client throws(MPinError) in
            try client.requireUnchanged(user)
            let before = (user.state, user.record.regOTT)
            user.token = token.take()
            user.record.regOTT = nil
            user.pinScheme = .decimal
            user.record.pinLength = length
            user.state = .registered
            do throws(StoreError) { try RecordFile.write(user, to: client.store) } catch {
                user.token = nil
                user.record.pinLength = nil
                (user.state, user.record.regOTT) = before
                throw MPinError(error)
            }
        }
        user.pending = nil
        user.awaitsFirstLogin = true
    }
}
