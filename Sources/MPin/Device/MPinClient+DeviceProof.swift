// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Proves that a request for an unfinished registration comes from the device that has its key; nil without a key.
    ///
    /// - Parameter request: the name of the request.
    func proof(_ request: StaticString, of user: User) throws(MPinError) -> DeviceProof? {
        guard let key = user.key, let mpinID = user.record.mpinID else { return nil }
        guard let regOTT = user.regOTT else {
            throw MPinError(.storageError, "This user's record has no registration token.")
        }
        let offset = CachedLogin.read(mpinID: mpinID, from: store).record.clockOffset
        return try proof(request, of: user, key, regOTT: regOTT.bytes, offset, until: deadline())
    }

    /// Signs a request with the device's key, at the time of the server's clock.
    ///
    /// - Parameters:
    ///   - regOTT: the token of an unfinished registration; empty for another request.
    ///   - offset: the known difference to the server's clock.
    func proof(
        _ request: StaticString, of user: User, _ key: RegistrationKey, regOTT: [UInt8], _ offset: Int?,
        until deadline: Deadline
    ) throws(MPinError) -> DeviceProof {
        let (mpinID, serverID) = (try user.requireMPinID(), try user.requireServerID())
        let time = SigningClock.now(offset)
        let digest: [UInt8]
        do throws(CryptoError) {
            digest = try DeviceStatement.request(
                ByteText(request).bytes, serverID: serverID, mpinID: mpinID.bytes, time: UInt64(time.magnitude),
                regOTT: regOTT)
        } catch { throw MPinError(error) }
        return DeviceProof(time: time, signature: try key.sign(digest, tpm: options.tpmDevice, until: deadline))
    }
}
