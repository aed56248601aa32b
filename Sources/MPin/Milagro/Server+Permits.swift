// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

/// The first share of a time permit, with the parameters that fetch the other one.
struct FirstPermitShare: ~Copyable {
    let day: PermitDay
    let share: SecretBytes
    let storageID: HexText
    let signature: HexText
}

extension Server {
    /// Fetches the share of the relying party's own authority.
    func timePermit(of mpinID: HexText?, until deadline: Deadline) throws(MPinError) -> FirstPermitShare {
        var share = try SecretBytes.forShare()
        let path = "/" + (mpinID?.digits ?? ByteText())
        let (answer, day) = try request(.timePermit, .timePermitsURL, path, until: deadline) { body throws(WireError) in
            let answer = try share.withMutableBytes(count: RecordFile.pointSize) { share throws(WireError) in
                try TimePermitResponse.decode(body, share: &share)
            }
            guard let day = PermitDay(answer.date) else { throw .invalid(.date) }
            return (answer, day)
        }
        return FirstPermitShare(day: day, share: share, storageID: answer.storageID, signature: answer.signature)
    }

    /// Fetches the second share from the public store. If that returns `nil` for any reason, ask the authority: the store
    /// is optional, so it gets only a fifth of the time.
    func storedPermitShare(_ first: borrowing FirstPermitShare, until deadline: Deadline) -> SecretBytes? {
        guard let store = settings.text(.timePermitsStorageURL), !store.isEmpty, let appID = settings.text(.appID)
        else { return nil }
        var path = "/" + Query.percentEncoded(appID) + "/"
        path.append(decimal: first.day.number)
        path = path + "/" + first.storageID.digits
        do throws(MPinError) {
            var share = try SecretBytes.forShare()
            try transport.request(.permitStore, url(.timePermitsStorageURL, path), until: deadline.fifth) {
                body throws(WireError) in
                try share.withMutableBytes(count: RecordFile.pointSize) { share throws(WireError) in
                    try PermitStoreBody.decode(body, share: &share)
                }
            }
            return share
        } catch { return nil }
    }

    /// Fetches the second share from its authority.
    func permitShare(_ first: borrowing FirstPermitShare, until deadline: Deadline) throws(MPinError) -> SecretBytes {
        let query = PermitQuery(
            hashMPinID: first.storageID, signature: first.signature, appID: settings.text(.appID) ?? ByteText())
        var share = try SecretBytes.forShare()
        do throws(MPinError) {
            try request(.permitShare, .certivoxURL, "timePermit?" + query.encode(), until: deadline) {
                body throws(WireError) in
                try share.withMutableBytes(count: RecordFile.pointSize) { share throws(WireError) in
                    try ShareResponse.timePermit.decode(body, share: &share)
                }
            }
        } catch {
            if let address = settings.text(.certivoxURL) { error.begin(with: address) }
            throw error
        }
        return share
    }
}

extension SecretBytes {
    /// Memory for a share, which is copied directly from the answer into it.
    @inline(never)
    static func forShare() throws(MPinError) -> SecretBytes {
        do { return try SecretBytes(capacity: RecordFile.pointSize) } catch { throw MPinError(error) }
    }
}
