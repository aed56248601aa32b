internal import MPinCrypto
internal import MPinWire

extension MPin {
    /// The share of the relying party's own authority, with what fetches the other one.
    struct FirstPermitShare {
        let day: PermitDay
        let share: Share
        let storageID: HexText
        let signature: HexText
    }

    func firstPermitShare(
        _ user: User, _ server: Server, _ cache: CachedLogin, _ deadline: Deadline
    ) throws(MPinError) -> FirstPermitShare {
        let url = try server.url(server.settings.timePermitsURL, "/" + user.mpinID)
        do throws(MPinError) { try server.request(.timePermit, "GET", url, deadline: deadline) } catch {
            note(error, of: user, in: cache)
            throw error
        }
        let (answer, share) = try server.transport.readShare { body, share throws(WireError) in
            try TimePermitResponse.decode(body, share: &share)
        }
        guard let day = PermitDay(answer.date) else {
            throw MPinError(.responseParseError, "The server's day is not a date.")
        }
        return FirstPermitShare(
            day: day, share: share, storageID: answer.storageID, signature: answer.signature)
    }

    /// The share of the second authority: kept from a login of the same day, or from the permit store, or asked for.
    func secondPermitShare(
        _ first: FirstPermitShare, _ server: Server, _ cache: CachedLogin, _ deadline: Deadline
    ) throws(MPinError) -> SecretBytes {
        if cache.record.day == first.day.number, let kept = cache.share.take() {
            do throws(CryptoError) {
                let copy = try kept.copy()
                cache.share = consume kept
                return copy
            } catch { throw MPinError(error) }
        }
        let share: SecretBytes
        if let stored = try storedPermitShare(first, server, deadline) {
            share = stored
        } else {
            var query = Query()
            query.add(.hashMPinID, first.storageID.string)
            query.add(.appIDParameter, server.settings.appID ?? "")
            query.add(.mobile, "1")
            query.add(.signature, first.signature.string)
            let url = try server.secondAuthorityURL("timePermit?" + query.string)
            try server.request(.permitShare, "GET", url, deadline: deadline)
            share = try server.transport.readShare { body, share throws(WireError) in
                try PermitShareResponse.decode(body, share: &share)
            }.share.take()
        }
        do throws(CryptoError) { cache.keepShare(try share.copy(), of: first.day) } catch { throw MPinError(error) }
        return share
    }

    /// The second share from the public store, or `nil` when it has none; any failure there means to ask the authority.
    private func storedPermitShare(
        _ first: FirstPermitShare, _ server: Server, _ deadline: Deadline
    ) throws(MPinError) -> SecretBytes? {
        guard let store = server.settings.timePermitsStorageURL, !store.utf8.isEmpty, let appID = server.settings.appID
        else { return nil }
        let path = "/" + Query.percentEncoded(appID) + "/\(first.day.number)/" + first.storageID.string
        do throws(MPinError) {
            let url = try server.url(store, path)
            try server.request(.permitStore, "GET", url, deadline: deadline)
            return try server.transport.readShare { body, share throws(WireError) in
                try PermitStoreBody.decode(body, share: &share)
            }.share.take()
        } catch {
            if deadline.hasPassed { throw error }
            return nil
        }
    }

    /// Remembers a refusal that lasts, for the account phase and for status displays.
    func note(_ error: MPinError, of user: User, in cache: CachedLogin) {
        guard MPinStatus.lasting.contains(error.code) else { return }
        user.lastRefusal = error.code
        cache.update { $0.refusal = error.code.name.text }
        cache.write(to: store)
    }
}
