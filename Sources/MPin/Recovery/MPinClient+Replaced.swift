// SPDX-License-Identifier: Apache-2.0
package import MPinWire

/// Registrations that another one has replaced. The server has to revoke them; if that fails, it is tried again.
extension MPinClient {
    /// Has the server revoke the registrations that this one has replaced. Each request is authorized by a login of
    /// this one. Registrations that the server has answered for are removed from the record.
    ///
    /// - Parameter user: the registration in use, whose PIN has just logged in.
    /// - Returns: how many are left, and the M-Pin IDs that the server has now revoked. It does not know the others. A
    ///   failure does not affect the registration.
    @discardableResult
    package mutating func revokeReplaced(by user: User, pin: borrowing PIN) -> (left: Int, revoked: [HexText]) {
        let all = user.notes.replaced
        guard !all.isEmpty, backend != nil else { return (all.count, []) }
        // These logins must not overwrite the count that the user's own login reported.
        let wrong = user.wrongSinceLastLogin
        defer { user.wrongSinceLastLogin = wrong }
        var left: [EnrollmentNotes.Replaced] = [], revoked: [HexText] = []
        for entry in all where entry.mpinID != user.record.mpinID {
            switch revoke(entry.mpinID, by: user, pin: pin) {
            case true?: revoked.append(entry.mpinID)
            case false?: break
            case nil: left.append(entry)
            }
        }
        // If the write fails, the server is asked again next time.
        if left.count < all.count { do throws(MPinError) { try changeNotes(of: user) { $0.replaced = left } } catch {} }
        return (left.count, revoked)
    }

    /// Has the server revoke a registration, by a login of another one.
    ///
    /// - Returns: false if the server does not know the registration; nil if it may still accept it.
    mutating func revoke(_ mpinID: HexText, by user: User, pin: borrowing PIN) -> Bool? {
        do throws(MPinError) {
            let pending = try beginLogin(of: user, until: deadline())
            try revoke(registration: mpinID, by: pending, pin: pin)
            return true
        } catch { return error.cause == .unmet ? false : nil }
    }

    /// Stores the number of backup codes that the server reported. A failed write loses nothing: the server reports the
    /// number again.
    mutating func noteBackupCodes(_ count: Int?, of user: User) {
        guard let count, isListed(user), user.notes.backupCodes != count else { return }
        do throws(MPinError) { try changeNotes(of: user) { $0.backupCodes = count } } catch {}
    }

    /// Changes the notes in the record of a registration in use, unless another one has replaced it.
    private func changeNotes(of user: User, _ change: (inout EnrollmentNotes) -> Void) throws(MPinError) {
        try lockedStore { store throws(StoreError) in
            let inUse = try store.beside(.users, create: true)
            guard let stored = try RecordFile.registration(like: user, in: inUse),
                stored.record.mpinID == user.record.mpinID
            else { return }
            var notes = stored.notes
            change(&notes)
            stored.notes = notes
            user.notes = notes
            try RecordFile.write(stored, to: inUse)
        }
    }
}
