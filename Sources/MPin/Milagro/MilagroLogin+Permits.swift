// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension MilagroLogin {
    /// Fetches the time permit of the server's day, if the server uses permits.
    ///
    /// - Parameter asksStore: whether the second share may come from the permit store.
    /// - Returns: whether it differs from the earlier permit of this login, if there was one.
    @discardableResult
    func obtainPermit(
        in store: AccountStore, until deadline: Deadline, asksStore: Bool = true
    ) throws(MPinError) -> Bool {
        guard server.settings.usesPermits else { return false }
        let first = try server.timePermit(of: user.record.mpinID, until: deadline)
        try server.update(for: first.day.number, until: deadline)
        let permit = try wholePermit(first, asksStore, deadline)
        try keepSettings(of: first.day.number, deadline)
        if user.lastRefusal == .revoked {
            user.forgetRefusal()
            cache.change { $0.forgetRefusal() }
        }
        cache.write(to: store)
        return keep(permit, of: first.day)
    }

    /// Keeps the whole permit of a day for this login.
    ///
    /// - Returns: whether it differs from the permit kept before.
    private func keep(_ point: consuming SecretBytes, of day: PermitDay) -> Bool {
        let isSame =
            switch permit {
            case .some(let former): former.point.equals(point)
            case .none: false
            }
        permit = TimePermit(point: point, day: day)
        return !isSame
    }

    /// Returns the permit. The second authority's share comes from an earlier login on the same day, from the permit
    /// store, or from the authority. If that of the store is not a share, the authority is asked.
    private func wholePermit(
        _ first: borrowing FirstPermitShare, _ asksStore: Bool, _ deadline: Deadline
    ) throws(MPinError) -> SecretBytes {
        if cache.record.day == first.day.number, let kept = cache.share.take() {
            do throws(CryptoError) {
                let permit = try Shares.recombine(first.share, kept)
                cache.share = consume kept
                return permit
            } catch { throw MPinError(error) }
        }
        if asksStore, let stored = server.storedPermitShare(first, until: deadline) {
            do throws(CryptoError) { return try complete(first, with: stored) } catch {}
        }
        let share = try server.permitShare(first, until: deadline)
        do throws(CryptoError) { return try complete(first, with: share) } catch { throw MPinError(error) }
    }

    /// Adds the second share to the first one, and caches it for its day.
    @inline(never)
    private func complete(
        _ first: borrowing FirstPermitShare, with share: consuming SecretBytes
    ) throws(CryptoError) -> SecretBytes {
        let permit = try Shares.recombine(first.share, share)
        cache.keepShare(share, of: first.day)
        return permit
    }

    /// Fetches the permit again after a refusal that gives no reason other than the PIN.
    ///
    /// The second share has no date. A share of another day makes every right PIN wrong, so the cached share is
    /// dropped, and the authority is asked, not the permit store.
    /// - Returns: whether the new permit differs and the PIN may be sent again. It may not if an earlier attempt could
    ///   have counted, because the second one could block the registration.
    @inline(never)
    func renewPermit(
        after error: MPinError, in store: AccountStore, _ deadline: Deadline
    ) -> Bool {
        guard error.code == .incorrectPIN, error.httpStatus == 401, error.attemptsLeft == nil else { return false }
        cache.change { $0.day = nil }
        var isOther = false
        do throws(MPinError) { isOther = try obtainPermit(in: store, until: deadline, asksStore: false) } catch {}
        guard isOther else {
            // The authority's day may still be wrong, so the next login asks it again.
            cache.change { $0.day = nil }
            return false
        }
        guard let notes = AttemptNotes(of: user, in: store, create: true), let counts = notes.counts,
            counts.unresolved == 0, counts.inFlight <= 1, notes.begin()
        else { return false }
        notes.end(.wrong(left: nil))
        return true
    }
}

extension MPinClient {
    /// Notes whether the server that refuses a Milagro registration offers device keys. The one that made it did not, so
    /// another server may have its address now. A login does not ask this: a verdict is no reason to read the settings.
    ///
    /// - Parameter store: the account's registrations in use.
    package static func noteOffer(of user: User, in store: FileStore, options: TransportOptions) {
        guard !user.hasDeviceKey, let mpinID = user.record.mpinID, let backend = Backend(user.record.backend) else {
            return
        }
        let settings: ClientSettings
        do throws(MPinError) {
            let deadline = Deadline(millisecondsFromNow: options.timeoutMilliseconds)
            settings = try HTTPTransport(backend: backend, options: options).clientSettings(
                of: backend, user.record.rpsPrefix ?? standardPrefix, until: deadline)
        } catch { return }
        user.offersDeviceKey = settings.offersDeviceKey
        let cache = CachedLogin.read(mpinID: mpinID, from: store.ofAccount)
        // The day of these settings is unknown, so the next login reads them again.
        cache.change { ($0.settings, $0.settingsDay) = (settings, 0) }
        cache.write(to: store.ofAccount)
    }
}
