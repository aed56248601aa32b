internal import MPinCrypto
package import MPinWire

extension MPin {
    /// Starts a login: fetches the time permits of the server's day.
    ///
    /// The first permit share is asked for at each login, for there the server revokes; the second is kept for its day.
    /// - Parameters:
    ///   - user: one in state REGISTERED.
    ///   - accessCode: the code of a waiting session that this login is for, if any.
    /// - Throws: REVOKED when the server refuses the permit, FLOW_ERROR in another state.
    public mutating func startAuthentication(
        _ user: User, accessCode: String? = nil
    ) throws(MPinError) -> PendingAuthentication {
        try startLogin(user, accessCode: accessCode.map { Text($0) })
    }

    /// The same with a code that is no string.
    package mutating func startLogin(_ user: User, accessCode: Text? = nil) throws(MPinError) -> PendingAuthentication {
        try requireHere(user)
        guard user.state == .registered else { throw MPinError(.flowError, "Only a registered user can log in.") }
        let deadline = deadline()
        try refresh(user)
        if settings == nil { rpsPrefix = user.record.rpsPrefix ?? MPin.standardPrefix }
        return try start(user, deadline, accessCode: accessCode)
    }

    /// The same for a registration that may not be listed, such as one with a new PIN that has to prove itself.
    mutating func start(
        _ user: User, _ deadline: Deadline, accessCode: Text? = nil
    ) throws(MPinError) -> PendingAuthentication {
        guard let mpinID = user.record.mpinID else {
            throw MPinError(.storageError, "The record of this user has no M-Pin ID.")
        }
        let cache = CachedLogin.read(mpinID: mpinID, from: store)
        if settings == nil { settings = cache.record.settings }
        var server = try server(deadline)
        if let accessCode, !accessCode.isEmpty { announce(user, to: accessCode, at: server, deadline) }
        guard server.settings.usesPermits else {
            return PendingAuthentication(user: user, server: server, day: nil, permit: nil, cache: cache)
        }
        let first = try firstPermitShare(user, server, cache, deadline)
        if cache.record.settingsDay != first.day.number {
            // Settings are as old as the last change of the server's day at most.
            settings = try MPin.readSettings(server.backend, rpsPrefix, server.transport, deadline)
            let fresh = settings
            cache.change { ($0.settings, $0.settingsDay) = (fresh, first.day.number) }
            server = try self.server(deadline)
        }
        let second = try secondPermitShare(first, server, cache, deadline)
        let firstShare = try first.share.take()
        let permit: SecretBytes
        do throws(CryptoError) { permit = try Shares.recombine(firstShare, second) } catch {
            throw MPinError(error)
        }
        if user.lastRefusal == .revoked {
            user.lastRefusal = nil
            cache.change { $0.refusal = nil }
        }
        cache.write(to: store)
        return PendingAuthentication(user: user, server: server, day: first.day, permit: permit, cache: cache)
    }

    /// Reads the user's record again: another process may have blocked or replaced it since it was read.
    private mutating func refresh(_ user: User) throws(MPinError) {
        let present: [User]
        do throws(StoreError) { present = try RecordFile.load(store).users } catch { throw MPinError(error) }
        for found in present where found.isRegistration(like: user) {
            user.record = found.record
            user.state = found.state
            user.pinScheme = found.pinScheme
            user.token = found.token.take()
            guard user.state == .registered else { throw MPinError(.flowError, "Only a registered user can log in.") }
            return
        }
        throw MPinError(.flowError, "The registration has been removed meanwhile.")
    }
}
