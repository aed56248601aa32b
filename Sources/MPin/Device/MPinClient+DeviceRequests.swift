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
        return try proof(request, of: user, key, regOTT: regOTT.bytes, offset, until: deadline()).proof
    }

    /// Signs a request with the device's key, at the time of the server's clock.
    ///
    /// - Parameters:
    ///   - regOTT: the token of an unfinished registration; empty for another request.
    ///   - offset: the known difference to the server's clock.
    /// - Returns: the proof, and the digest that was signed.
    func proof(
        _ request: StaticString, of user: User, _ key: RegistrationKey, regOTT: [UInt8], _ offset: Int?,
        until deadline: Deadline
    ) throws(MPinError) -> (proof: DeviceProof, digest: [UInt8]) {
        let (mpinID, serverID) = (try user.requireMPinID(), try user.requireServerID())
        let time = SigningClock.now(offset)
        let digest: [UInt8]
        do throws(CryptoError) {
            digest = try DeviceStatement.request(
                ByteText(request).bytes, serverID: serverID, mpinID: mpinID.bytes, time: UInt64(time.magnitude),
                regOTT: regOTT)
        } catch { throw MPinError(error) }
        let signature = try key.sign(digest, tpm: options.tpmDevice, until: deadline)
        return (DeviceProof(time: time, signature: signature), digest)
    }
}

#if !hasFeature(Embedded)
extension MPinClient {
    /// Asks the server whether a registration with a device key is still revoked, if the last contact ended with
    /// REVOKED. Without a permit, nothing else reports this before the PIN is typed. Servers without this extension
    /// report it at the login.
    ///
    /// - Throws: REVOKED while it is revoked, CLIENT_SECRET_EXPIRED if the server does not know the device, and the
    ///   error of a request that got no answer.
    func requireNotRevoked(_ pending: borrowing PendingAuthentication) throws(MPinError) {
        let (user, cache) = (pending.user, pending.cache)
        guard user.lastRefusal == .revoked, pending.isDirect, let key = user.key, !key.isPending,
            pending.server.settings.offers(.status)
        else { return }
        let deadline = deadline()
        let answer: DeviceStatusResponse
        do throws(MPinError) {
            do throws(MPinError) { answer = try status(of: user, key, pending, deadline) } catch {
                guard let time = error.serverTime else { throw error }
                cache.learnTime(time)
                answer = try status(of: user, key, pending, deadline)
            }
        } catch {
            if error.cause == .unproven, pending.server.doubtSettings(after: error, isPinned: true) {
                cache.change { ($0.settings, $0.settingsDay) = (nil, nil) }
                cache.write(to: store)
            }
            // Any other answer reveals nothing about the registration. The login will.
            guard error.code == .revoked || error.cause == .unknownDevice || error.httpStatus == nil else { return }
            note(error, of: user, in: cache)
            cache.write(to: store)
            throw error
        }
        user.attemptsLeft = answer.attemptsLeft
        user.forgetRefusal()
        cache.change { login in
            login.attemptsLeft = answer.attemptsLeft
            login.forgetRefusal()
        }
        cache.write(to: store)
    }

    private func status(
        of user: User, _ key: RegistrationKey, _ pending: borrowing PendingAuthentication, _ deadline: Deadline
    ) throws(MPinError) -> DeviceStatusResponse {
        let (proof, digest) = try proof(
            "status", of: user, key, regOTT: [], pending.cache.record.clockOffset, until: deadline)
        return try pending.server.status(
            DeviceStatusRequest(mpinID: user.requireMPinID(), proof: proof),
            user.check(.login, of: MPinClient.signedRequest(digest, proof.signature)),
            until: deadline)
    }
}

extension Server {
    /// Requests the status of a registration. A refusal has the same meaning as for a direct login, but no PIN was
    /// sent.
    fileprivate func status(
        _ message: DeviceStatusRequest, _ check: AnswerCheck?, until deadline: Deadline
    ) throws(MPinError) -> DeviceStatusResponse {
        do throws(MPinError) {
            return try request(
                .directLogin, .statusURL, body: message.encode(), until: deadline, check: check,
                DeviceStatusResponse.decode)
        } catch {
            throw MPinError(
                error.code, error.sentence, httpStatus: error.httpStatus, cause: error.cause, reason: error.reason,
                serverTime: error.serverTime)
        }
    }
}
#endif
