// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
package import MPinWire

extension MPinClient {
    /// Starts a login: fetches the time permits of the server's day, unless the device signs the login.
    ///
    /// The first permit share is fetched at each login, because that is where the server revokes; the second is cached
    /// for its day. A login that the device signs needs no permit, and usually starts without a request. Only if the
    /// last contact ended with REVOKED, this call asks the server whether the user is still revoked. Otherwise the call
    /// that finishes the login reports a revocation, after the PIN was typed.
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
        let pending = try startLogin(user, accessCode: accessCode.map { ByteText($0) })
        #if !hasFeature(Embedded)
        try requireNotRevoked(pending)
        #endif
        return pending
    }

    /// Starts a login: fetches the time permits of the server's day if the login needs them.
    ///
    /// The first permit share is fetched at each login, because that is where the server revokes; the second is cached
    /// for its day. A login that the device signs needs no permit: nothing is sent here, except to read settings of an
    /// earlier day again.
    package mutating func startLogin(
        _ user: User, accessCode: ByteText? = nil
    ) throws(MPinError) -> PendingAuthentication {
        try requireHere(user)
        guard user.state == .registered else { throw user.wrongState }
        let deadline = deadline()
        _ = try reconcile(user)
        guard user.state == .registered else { throw user.wrongState }
        if server == nil { rpsPrefix = user.record.rpsPrefix ?? MPinClient.standardPrefix }
        return try startLogin(ofUnlisted: user, until: deadline, accessCode: accessCode)
    }

    /// Starts a login of a registration that may not be in the list, such as one whose new PIN has to prove itself.
    mutating func startLogin(
        ofUnlisted user: User, until deadline: Deadline, accessCode: ByteText? = nil
    ) throws(MPinError) -> PendingAuthentication {
        let mpinID = try user.requireMPinID()
        let cache = CachedLogin.read(mpinID: mpinID, from: store)
        if server == nil, let backend, let transport, let settings = cache.record.settings {
            server = Server(backend, transport, rpsPrefix, cached: settings, day: cache.record.settingsDay)
        }
        let server = try server(deadline)
        if !user.isPinned { try requireSameServer(server, for: user, cache, deadline) }
        let isDirect = try prepareDirectLogin(of: user, at: server, cache, deadline)
        if let accessCode, !accessCode.isEmpty { server.announce(user, to: accessCode, until: deadline) }
        let pending = PendingAuthentication(user: user, server: server, cache: cache, isDirect: isDirect)
        guard !isDirect else { return pending }
        do throws(MPinError) { try obtainPermit(for: pending, until: deadline) } catch {
            // If another login has given the server the key meanwhile, the device signs this one.
            guard keyBoundMeanwhile(error, pending, deadline) != nil else {
                note(error, of: user, in: cache)
                throw error
            }
            return PendingAuthentication(user: user, server: server, cache: cache, isDirect: true)
        }
        return pending
    }

    /// Refuses a server that has a different name than the user's server: it does not know the user, and its keys are
    /// different.
    @inline(never)
    func requireSameServer(
        _ server: Server, for user: User, _ cache: CachedLogin, _ deadline: Deadline
    ) throws(MPinError) {
        // Cached settings may come from an older server.
        guard server.isOther(than: user), server.readAgain(until: deadline), server.isOther(than: user) else { return }
        let error = MPinError(
            .clientSecretExpired,
            "This is not the registration's server: it was set up again, or its address leads to another one.",
            cause: .otherServer)
        note(error, of: user, in: cache)
        throw error
    }

    /// Caches settings for later logins, unless they are already cached.
    @inline(never)
    func keepSettings(
        of server: Server, for day: Int, in cache: CachedLogin, _ deadline: Deadline
    ) throws(MPinError) {
        try server.update(for: day, until: deadline)
        keepSettings(of: server, in: cache)
    }

    /// Caches settings of a known day for later logins, unless they are already cached.
    @inline(never)
    func keepSettings(of server: Server, in cache: CachedLogin) {
        guard let day = server.settingsDay, server.hasFreshSettings || cache.record.settingsDay != day else { return }
        cache.change { ($0.settings, $0.settingsDay) = (server.settings, day) }
    }
}
