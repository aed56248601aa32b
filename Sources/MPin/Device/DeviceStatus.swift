// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension DeviceLogin {
    /// Asks the server whether a registration is still revoked. Nothing else reports this before the PIN is typed.
    ///
    /// - Returns: how many tries are left.
    /// - Throws: REVOKED while it is revoked, CLIENT_SECRET_EXPIRED if the server does not know the device, and the
    ///   error of a request that got no proven answer.
    func status(of user: User, _ device: DeviceRegistration, until deadline: Deadline) throws(MPinError) -> Int {
        do throws(MPinError) { return try statusOnce(of: user, device, deadline) } catch {
            guard let time = error.serverTime else { throw error }
            cache.learnTime(time)
            return try statusOnce(of: user, device, deadline)
        }
    }

    private func statusOnce(
        of user: User, _ device: DeviceRegistration, _ deadline: Deadline
    ) throws(MPinError) -> Int {
        let (proof, digest) = try device.proof(
            "status", of: user, regOTT: [], cache.record.clockOffset, tpm: tpm, until: deadline)
        return try server.status(
            DeviceStatusRequest(mpinID: user.requireMPinID(), proof: proof),
            device.check(device.serverID(), digest, proof.signature), until: deadline
        ).attemptsLeft
    }
}

extension DeviceRegistration {
    /// Signs a request with the device's key, at the time of the server's clock.
    ///
    /// - Parameters:
    ///   - request: the name of the request.
    ///   - regOTT: the token of an unfinished registration; empty for another request.
    ///   - offset: the known difference to the server's clock.
    /// - Returns: the proof, and the digest that was signed.
    func proof(
        _ request: StaticString, of user: User, regOTT: [UInt8], _ offset: Int?, tpm: ByteText?,
        until deadline: Deadline
    ) throws(MPinError) -> (proof: DeviceProof, digest: [UInt8]) {
        let (mpinID, serverID) = (try user.requireMPinID(), try serverID())
        let time = SigningClock.now(offset)
        let digest: [UInt8]
        do throws(CryptoError) {
            digest = try DeviceStatement.request(
                ByteText(request).bytes, serverID: serverID, mpinID: mpinID.bytes, time: UInt64(time.magnitude),
                regOTT: regOTT)
        } catch { throw MPinError(error) }
        return (DeviceProof(time: time, signature: try key.sign(digest, tpm: tpm, until: deadline)), digest)
    }

    /// What the answer to a signed request must prove.
    ///
    /// - Parameters:
    ///   - serverID: the hash of the server's key.
    ///   - digest: what the device has signed.
    func check(_ serverID: [UInt8], _ digest: [UInt8], _ signature: HexText) throws(MPinError) -> AnswerCheck {
        do throws(CryptoError) {
            return AnswerCheck(
                .login, key: serverKey, hash: serverID,
                request: try ServerStatement.signedRequest(digest, signature: signature.bytes))
        } catch { throw MPinError(error) }
    }
}
