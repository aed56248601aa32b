// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension MPinClient {
    /// Starts a login: fetches the time permits of the server's day, unless the device signs the login.
    ///
    /// A login that the device signs needs no permit, and usually starts without a request. Only if the last contact
    /// ended with REVOKED, this call asks the server whether the user is still revoked. Otherwise the call that finishes
    /// the login reports a revocation, after the PIN was typed. For other logins, the first permit share is fetched each
    /// time, because the server refuses it to a revoked registration; the second is cached for its day.
    /// - Parameters:
    ///   - user: a user in state REGISTERED.
    ///   - accessCode: the code of the waiting session that this login is for, if any.
    /// - Throws: REVOKED if the server refuses the permit, or reports that the user is still revoked. FLOW_ERROR in
    ///   another state.
    ///
    /// Milagro: `StartAuthentication`
    public mutating func startAuthentication(
        _ user: User, accessCode: String? = nil
    ) throws(MPinError) -> PendingAuthentication {
        try requireHere(user)
        guard user.state == .registered else { throw user.wrongState }
        let deadline = deadline()
        _ = try reconcile(user)
        guard user.state == .registered else { throw user.wrongState }
        let pending = try beginLogin(of: user, announcing: accessCode.map { ByteText($0) }, until: deadline)
        try requireNotRevoked(pending)
        return pending
    }

    /// Begins the login of a registration that may not be in the list, such as one whose new PIN has to prove itself.
    mutating func beginLogin(
        of user: User, announcing accessCode: ByteText? = nil, until deadline: Deadline
    ) throws(MPinError) -> PendingAuthentication {
        let cache = CachedLogin.read(mpinID: try user.requireMPinID(), from: store)
        switch user.registration {
        case .device:
            guard let backend, let transport else { throw MPinClient.noServer }
            let server = DeviceServer(backend: backend, transport: transport)
            if let accessCode, !accessCode.isEmpty { server.announce(user, to: accessCode, until: deadline) }
            return PendingAuthentication(
                user, .device(DeviceLogin(server: server, cache: cache, tpm: options.tpmDevice)))
        case nil: throw user.wrongState
        case .milagro:
            if server == nil { rpsPrefix = user.record.rpsPrefix ?? MPinClient.standardPrefix }
            if server == nil, let backend, let transport, let settings = cache.record.settings {
                server = Server(backend, transport, rpsPrefix, cached: settings, day: cache.record.settingsDay)
            }
            let server = try server(deadline)
            if let accessCode, !accessCode.isEmpty { server.announce(user, to: accessCode, until: deadline) }
            let login = MilagroLogin(user, server, cache)
            do throws(MPinError) { try login.obtainPermit(in: store, until: deadline) } catch {
                note(error, of: user, in: cache)
                throw error
            }
            return PendingAuthentication(user, .milagro(login))
        }
    }

    /// Asks the server whether a registration with a device key is still revoked, if the last contact ended with
    /// REVOKED.
    ///
    /// - Throws: REVOKED while it is revoked, CLIENT_SECRET_EXPIRED if the server does not know the device, and the
    ///   error of a request that got no proven answer.
    private func requireNotRevoked(_ pending: borrowing PendingAuthentication) throws(MPinError) {
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
