// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
package import MPinWire

extension MPinClient {
    /// Starts a login: fetches the time permits of the server's day if the login needs them.
    ///
    /// The first permit share is fetched at each login, because that is where the server revokes; the second is cached
    /// for its day. A login that the device signs needs no permit: nothing is sent here, except to read settings of an
    /// earlier day again.
    package mutating func startAuthentication(
        _ user: User, accessCode: ByteText?
    ) throws(MPinError) -> PendingAuthentication {
        try requireHere(user)
        guard user.state == .registered else { throw user.wrongState }
        let deadline = deadline()
        _ = try reconcile(user)
        guard user.state == .registered else { throw user.wrongState }
        if server == nil { rpsPrefix = user.record.rpsPrefix ?? MPinClient.standardPrefix }
        return try startAuthentication(of: user, until: deadline, accessCode: accessCode)
    }

    /// Starts a login of a registration that may not be in the list, such as one whose new PIN has to prove itself.
    mutating func startAuthentication(
        of user: User, until deadline: Deadline, accessCode: ByteText? = nil
    ) throws(MPinError) -> PendingAuthentication {
        guard let mpinID = user.record.mpinID else {
            throw MPinError(.storageError, "This user's record has no M-Pin ID.")
        }
        let cache = CachedLogin.read(mpinID: mpinID, from: store)
        if server == nil, let backend, let transport, let settings = cache.record.settings {
            server = Server(backend, transport, rpsPrefix, cached: settings, day: cache.record.settingsDay)
        }
        let server = try server(deadline)
        try requireSameServer(server, for: user, cache, deadline)
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

    /// Fetches the time permit of the server's day, if the server uses permits.
    ///
    /// - Returns: whether it differs from the earlier permit of this login, if there was one.
    @discardableResult
    func obtainPermit(
        for pending: borrowing PendingAuthentication, until deadline: Deadline
    ) throws(MPinError) -> Bool {
        let (user, server, cache) = (pending.user, pending.server, pending.cache)
        guard server.settings.usesPermits else { return false }
        let first = try firstPermitShare(user, server, cache, deadline)
        try server.update(for: first.day.number, until: deadline)
        let second = try secondPermitShare(first, server, cache, deadline)
        try keepSettings(of: server, for: first.day.number, in: cache, deadline)
        let permit: SecretBytes
        do throws(CryptoError) { permit = try Shares.recombine(first.share, second) } catch {
            throw MPinError(error)
        }
        if user.lastRefusal == .revoked {
            user.forgetRefusal()
            cache.change { $0.forgetRefusal() }
        }
        cache.write(to: store)
        return pending.keep(permit, of: first.day)
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
        guard server.hasFreshSettings || cache.record.settingsDay != day else { return }
        cache.change { ($0.settings, $0.settingsDay) = (server.settings, day) }
    }
}
