internal import CMPinSystem
internal import MPinCrypto
internal import MPinWire

extension MPinClient {
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
        do throws(MPinError) {
            let path = "/" + (user.record.mpinID?.digits ?? ByteText())
            return try server.ask(.timePermit, "GET", .timePermitsURL, path, until: deadline) {
                transport throws(MPinError) in
                let (answer, share) = try transport.readShare { body, share throws(WireError) in
                    try TimePermitResponse.decode(body, share: &share)
                }
                guard let day = PermitDay(answer.date) else {
                    throw MPinError(.responseParseError, "The server's day is not a date.")
                }
                return FirstPermitShare(
                    day: day, share: share, storageID: answer.storageID, signature: answer.signature)
            }
        } catch {
            let reason = server.transport.withAnswer { RefusalBody.reason(in: $0) }
            // A server that was set up anew knows nobody, and says of all that they are revoked.
            if error.code == .revoked, reason == nil, user.record.serverID != nil, server.readAgain(until: deadline) {
                try requireSameServer(server, for: user, cache, deadline)
            }
            note(error, of: user, in: cache, reason: reason)
            throw error
        }
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
            query.add(.hashMPinID, first.storageID.digits)
            query.add(.appIDParameter, server.settings.text(.appID) ?? ByteText())
            query.add(.mobile, "1" as ByteText)
            query.add(.signature, first.signature.digits)
            share = try server.ask(
                .permitShare, "GET", .certivoxURL, "timePermit?" + query.text, until: deadline
            ) { transport throws(MPinError) in
                try transport.readShare { body, share throws(WireError) in
                    try PermitShareResponse.decode(body, share: &share)
                }.share
            }.take()
        }
        do throws(CryptoError) { cache.keepShare(try share.copy(), of: first.day) } catch { throw MPinError(error) }
        return share
    }

    /// The second share from the public store, or `nil` when it has none; any failure there means to ask the authority.
    private func storedPermitShare(
        _ first: FirstPermitShare, _ server: Server, _ deadline: Deadline
    ) throws(MPinError) -> SecretBytes? {
        guard let store = server.settings.text(.timePermitsStorageURL), !store.isEmpty,
            let appID = server.settings.text(.appID)
        else { return nil }
        var path = "/" + Query.percentEncoded(appID) + "/"
        path.append(decimal: first.day.number)
        path = path + "/" + first.storageID.digits
        do throws(MPinError) {
            let url = try server.url(.timePermitsStorageURL, path)
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
    @inline(never)
    func note(_ error: MPinError, of user: User, in cache: CachedLogin, reason: ByteText? = nil) {
        guard MPinStatus.lasting.contains(error.code) else { return }
        user.lastRefusal = error.code
        let shown = reason.map { VisibleText.sanitized($0, limit: 200) }.flatMap { $0.isEmpty ? nil : $0 }
        user.refusalReasonText = shown
        let now = Int(mpin_wall_seconds())
        user.refusalTime = now
        cache.change { ($0.refusal, $0.reason, $0.refusalTime) = (ByteText(error.code.name), shown, now) }
        cache.write(to: store)
    }
}
