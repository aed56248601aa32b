// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinCrypto
internal import MPinWire

extension MPinClient {
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

    /// Fetches the first share of the time permit. The relying party refuses it to revoked registrations.
    func firstPermitShare(
        _ user: User, _ server: Server, _ cache: CachedLogin, _ deadline: Deadline
    ) throws(MPinError) -> FirstPermitShare {
        do throws(MPinError) {
            return try server.timePermit(of: user.record.mpinID, until: deadline)
        } catch {
            // A server that was set up again knows no registrations and answers all requests with the status of a
            // revoked one.
            if error.code == .revoked, error.reason == nil, user.record.serverID != nil,
                server.readAgain(until: deadline)
            {
                try requireSameServer(server, for: user, cache, deadline)
            }
            throw error
        }
    }

    /// Returns the second authority's share: from an earlier login on the same day, from the permit store, or from the
    /// authority.
    func secondPermitShare(
        _ first: borrowing FirstPermitShare, _ server: Server, _ cache: CachedLogin, _ deadline: Deadline
    ) throws(MPinError) -> SecretBytes {
        if cache.record.day == first.day.number, let kept = cache.share.take() {
            do throws(CryptoError) {
                let copy = try kept.copy()
                cache.share = consume kept
                return copy
            } catch { throw MPinError(error) }
        }
        let share: SecretBytes
        if let stored = try server.storedPermitShare(first, until: deadline) {
            share = stored
        } else {
            share = try server.permitShare(first, until: deadline)
        }
        do throws(CryptoError) { cache.keepShare(try share.copy(), of: first.day) } catch { throw MPinError(error) }
        return share
    }

    /// Fetches the permit again after a refusal that gives no reason other than the PIN.
    ///
    /// The second share has no date. A share of another day makes every right PIN wrong, so the cached share is
    /// dropped.
    /// - Returns: whether the new permit differs and the PIN may be sent again. It may not if an earlier attempt could
    ///   have counted, because the second one could block the registration.
    @inline(never)
    func renewPermit(
        after error: MPinError, _ pending: borrowing PendingAuthentication, _ deadline: Deadline
    ) -> Bool {
        guard error.code == .incorrectPIN, error.httpStatus == 401, error.attemptsLeft == nil else { return false }
        pending.cache.change { $0.day = nil }
        var isOther = false
        do throws(MPinError) { isOther = try obtainPermit(for: pending, until: deadline) } catch {}
        guard isOther else {
            // The authority's day may still be wrong, so the next login asks it again.
            pending.cache.change { $0.day = nil }
            return false
        }
        guard let notes = AttemptNotes(of: pending.user, in: store, create: true), let counts = notes.counts,
            counts.unresolved == 0, counts.inFlight <= 1, notes.begin()
        else { return false }
        notes.end(.wrong(left: nil))
        return true
    }

    /// Remembers a permanent refusal, for the account phase and for status displays.
    @inline(never)
    func note(_ error: MPinError, of user: User, in cache: CachedLogin) {
        guard MPinStatus.lasting.contains(error.code) else { return }
        user.lastRefusal = error.code
        let shown = error.reason.map { VisibleText.sanitized($0, limit: 200) }.flatMap { $0.isEmpty ? nil : $0 }
        user.refusalReasonText = shown
        let now = Int(mpin_wall_seconds())
        user.refusalTime = now
        cache.change { ($0.refusal, $0.reason, $0.refusalTime) = (ByteText(error.code.name), shown, now) }
        cache.write(to: store)
    }
}
