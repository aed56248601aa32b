internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Splits the client secret into the PIN and the token, and stores the token.
    ///
    /// - Parameters:
    ///   - user: one whose registration has been confirmed.
    ///   - pin: the new PIN: 4 to 6 digits, or a longer secret. What makes a PIN weak is the caller's to judge.
    /// - Throws: PIN_INPUT_CANCELED for an empty PIN, FLOW_ERROR without shares, CRYPTO_ERROR, STORAGE_ERROR; the
    ///   registration can still be finished then. FLOW_ERROR, too, when another process has gone on with it.
    ///
    /// Milagro: `FinishRegistration`
    public mutating func finishRegistration(_ user: User, pin: borrowing PIN) throws(MPinError) {
        try requireHere(user)
        guard user.state == .startedRegistration || user.state == .activated, let mpinID = user.mpinIDBytes else {
            throw user.wrongState
        }
        guard !pin.isEmpty else { throw MPinError(.pinInputCanceled, "No PIN was given.") }
        let scheme: PINScheme = pin.isDigits(count: PIN.digits) ? .decimal : .hashed
        var token: SecretBytes?
        let clientSecret: SecretBytes?
        do throws(CryptoError) { clientSecret = try user.pending?.clientSecret() } catch { throw MPinError(error) }
        guard let clientSecret else {
            throw MPinError(.flowError, "The registration has not been confirmed: confirm it first.")
        }
        do throws(CryptoError) {
            let factor = try PINFactor(pin: pin.bytes, scheme: scheme)
            token = try ClientToken.extract(
                identity: try Identity(mpinID: mpinID), factor: factor, clientSecret: clientSecret)
        } catch { throw MPinError(error) }

        let length = scheme == .decimal ? pin.count : nil
        try withStoreLock { client throws(MPinError) in
            try client.requireUnchanged(user)
            let before = (user.state, user.record.regOTT)
            user.token = token.take()
            user.record.regOTT = nil
            user.pinScheme = scheme
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
    }
}
