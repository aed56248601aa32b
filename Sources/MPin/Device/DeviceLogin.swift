// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinCrypto
internal import MPinWire

/// A login in one request that the device signs. It needs nothing from the server before the PIN.
struct DeviceLogin {
    let server: DeviceServer
    /// The data of the registration's last contact, with the difference to the server's clock.
    let cache: CachedLogin
    /// The TPM's name in the configuration; nil for the machine's default.
    let tpm: ByteText?

    /// Logs in.
    ///
    /// If the server refuses the time, it reports its own, and the login is repeated once, with another x: two answers
    /// with the same x reveal the client secret.
    @inline(never)
    func prove(
        _ user: User, _ device: DeviceRegistration, pin: borrowing PIN, _ purpose: DirectPurpose,
        until deadline: Deadline
    ) throws(MPinError) -> AcceptedLogin {
        // A machine that sleeps must not take a late answer for an early one.
        let start = mpin_boottime_seconds()
        var answer: AuthenticateResponse
        do throws(MPinError) { answer = try send(user, device, pin: pin, purpose, deadline) } catch {
            guard let time = error.serverTime else { throw error }
            // An attacker can let the server judge the PIN, and send the same request again when its time is too old.
            // So a late answer is no reason to send the PIN again.
            if mpin_boottime_seconds() - start >= 59 { throw HTTPTransport.late }
            cache.learnTime(time)
            answer = try send(user, device, pin: pin, purpose, deadline)
        }
        guard answer.userID == user.record.identity else { throw AcceptedLogin.mismatch }
        return AcceptedLogin(answer: answer, otp: answer.text(.otp).flatMap { OneTimePasswordFormat.digits($0) })
    }

    /// Makes the request, with its own x.
    @inline(never)
    private func send(
        _ user: User, _ device: DeviceRegistration, pin: borrowing PIN, _ purpose: DirectPurpose, _ deadline: Deadline
    ) throws(MPinError) -> AuthenticateResponse {
        let (mpinID, serverID) = (try user.requireMPinID(), try device.serverID())
        let session = try user.session(pin: pin)
        let time = SigningClock.now(cache.record.clockOffset)
        let login = DirectLogin(
            serverID: serverID, mpinID: mpinID.bytes, time: UInt64(time.magnitude), u: session.u,
            purpose: purpose.word.bytes, argument: purpose.argument.bytes)
        let u = session.u
        let v: [UInt8]
        let digest: [UInt8]
        do throws(CryptoError) {
            v = try session.answer(challenge: login.challenge())
            digest = try login.digest(v: v)
        } catch { throw MPinError(error) }
        let signature = try device.key.sign(digest, tpm: tpm, until: deadline)
        let message = DirectLoginRequest(mpinID: mpinID, u: u, v: v, time: time, purpose: purpose, signature: signature)
        return try server.logIn(message, device.check(serverID, digest, signature), until: deadline)
    }
}

/// The server of a registration with a device key: its address, and the connection to it.
///
/// It has no settings, because settings are not proven. All its paths are fixed, and no answer changes the address.
struct DeviceServer {
    let backend: Backend
    let transport: HTTPTransport

    /// Logs in with the one request that the device has signed. It is never sent twice.
    func logIn(
        _ message: DirectLoginRequest, _ check: AnswerCheck, until deadline: Deadline
    ) throws(MPinError) -> AuthenticateResponse {
        try transport.request(
            .directLogin, backend.url(path: DirectLoginRequest.path.text), body: message.encode(), until: deadline,
            check: check, AuthenticateResponse.init)
    }

    /// Requests the status of a registration. A refusal has the same meaning as for a login, but no PIN was sent.
    func status(
        _ message: DeviceStatusRequest, _ check: AnswerCheck, until deadline: Deadline
    ) throws(MPinError) -> DeviceStatusResponse {
        do throws(MPinError) {
            return try transport.request(
                .directLogin, backend.url(path: DeviceStatusRequest.path.text), body: message.encode(), until: deadline,
                check: check, DeviceStatusResponse.decode)
        } catch {
            throw MPinError(
                error.code, error.sentence, httpStatus: error.httpStatus, cause: error.cause,
                refusalReason: error.refusalReason, serverTime: error.serverTime)
        }
    }
}

extension MPinClient {
    /// Asks the server whether a registration with a device key is still revoked, if the last contact ended with
    /// REVOKED.
    ///
    /// - Throws: REVOKED while it is revoked, CLIENT_SECRET_EXPIRED if the server does not know the device, and the
    ///   error of a request that got no proven answer.
    func requireNotRevoked(_ pending: borrowing PendingAuthentication) throws(MPinError) {
        let (user, cache) = (pending.user, pending.cache)
        guard user.lastRefusal == .revoked, case .device(let login) = pending.method, let device = user.device else {
            return
        }
        let left: Int
        do throws(MPinError) { left = try login.status(of: user, device, until: deadline()) } catch {
            // Any other answer reveals nothing about the registration. The login will.
            guard error.code == .revoked || error.cause == .unknownDevice || error.httpStatus == nil else { return }
            note(error, of: user, in: cache)
            cache.write(to: store)
            throw error
        }
        user.attemptsLeft = left
        user.forgetRefusal()
        cache.change { login in
            login.attemptsLeft = left
            login.forgetRefusal()
        }
        cache.write(to: store)
    }
}

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
