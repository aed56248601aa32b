internal import MPinCrypto
internal import MPinWire

/// The first share of a time permit, with what fetches the other one.
struct FirstPermitShare {
    let day: PermitDay
    let share: Share
    let storageID: HexText
    let signature: HexText
}

extension Server {
    /// The share of the relying party's own authority.
    func timePermit(of mpinID: HexText?, until deadline: Deadline) throws(MPinError) -> FirstPermitShare {
        let share = try Share()
        let path = "/" + (mpinID?.digits ?? ByteText())
        return try ask(.timePermit, .timePermitsURL, path, until: deadline) { body throws(WireError) in
            let answer = try share.fill(body) { body, share throws(WireError) in
                try TimePermitResponse.decode(body, share: &share)
            }
            guard let day = PermitDay(answer.date) else { throw .invalid(.date) }
            return FirstPermitShare(day: day, share: share, storageID: answer.storageID, signature: answer.signature)
        }
    }

    /// The second share from the public store, or `nil` when it has none; any failure there means to ask the authority.
    func storedPermitShare(
        _ first: FirstPermitShare, until deadline: Deadline
    ) throws(MPinError) -> SecretBytes? {
        guard let store = settings.text(.timePermitsStorageURL), !store.isEmpty, let appID = settings.text(.appID)
        else { return nil }
        var path = "/" + Query.percentEncoded(appID) + "/"
        path.append(decimal: first.day.number)
        path = path + "/" + first.storageID.digits
        let share = try Share()
        do throws(MPinError) {
            try transport.request(.permitStore, url(.timePermitsStorageURL, path), until: deadline) {
                body throws(WireError) in
                _ = try share.fill(body) { body, share throws(WireError) in
                    try PermitStoreBody.decode(body, share: &share)
                }
            }
        } catch {
            if deadline.hasPassed { throw error }
            return nil
        }
        return try share.take()
    }

    /// The second share from its authority.
    func permitShare(_ first: FirstPermitShare, until deadline: Deadline) throws(MPinError) -> SecretBytes {
        var query = Query()
        query.add(.hashMPinID, first.storageID.digits)
        query.add(.appIDParameter, settings.text(.appID) ?? ByteText())
        query.add(.mobile, "1" as ByteText)
        query.add(.signature, first.signature.digits)
        let share = try Share()
        try ask(.permitShare, .certivoxURL, "timePermit?" + query.text, until: deadline) { body throws(WireError) in
            _ = try share.fill(body) { body, share throws(WireError) in
                try PermitShareResponse.decode(body, share: &share)
            }
        }
        return try share.take()
    }
}
