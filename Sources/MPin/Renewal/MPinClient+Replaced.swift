#if !hasFeature(Embedded)
internal import MPinWire

/// Registrations that another one has replaced: the server has to revoke them, which may fail, and is tried again.
extension MPinClient {
    /// Has the server revoke what a registration has replaced, each authorized by a login of that registration. What the
    /// server has answered is struck from its record.
    ///
    /// - Parameter user: the registration in use, whose PIN has just logged in.
    /// - Returns: how many are left. A failure does not affect the registration. At a server that cannot revoke they are
    ///   all left, and struck from the record.
    @discardableResult
    package mutating func revokeReplaced(by user: User, pin: borrowing PIN) -> Int {
        let all = user.notes.replaced
        guard !all.isEmpty, settings != nil else { return all.count }
        guard offers("revoke") else {
            do throws(MPinError) { try changeNotes(of: user) { $0.replaced = [] } } catch {}
            return all.count
        }
        // What the person's own login has told is not to be lost by these.
        let wrong = user.wrongSinceLastLogin
        defer { user.wrongSinceLastLogin = wrong }
        var left: [EnrollmentNotes.Replaced] = []
        for entry in all where entry.mpinID != user.record.mpinID {
            do throws(MPinError) {
                let pending = try startAuthentication(of: user, until: deadline())
                try revoke(registration: entry.mpinID, by: pending, pin: pin)
            } catch {
                // Otherwise the server does not know it, and nothing is left to revoke.
                if !error.isUnknownObject { left.append(entry) }
            }
        }
        // What cannot be written is asked once more, and answered again.
        if left.count < all.count {
            do throws(MPinError) { try changeNotes(of: user) { $0.replaced = left } } catch {}
        }
        return left.count
    }

    /// Writes down what the server has said of backup codes. A failure loses a number that the server will say again.
    mutating func noteBackupCodes(_ count: Int?, of user: User) {
        guard let count, isListed(user), user.notes.backupCodes != count else { return }
        do throws(MPinError) { try changeNotes(of: user) { $0.backupCodes = count } } catch {}
    }

    /// Changes the notes in the record of a registration in use, unless another one has taken its place.
    private func changeNotes(of user: User, _ change: (inout EnrollmentNotes) -> Void) throws(MPinError) {
        try lockedStore { store throws(StoreError) in
            let inUse = try store.beside(.users, create: true)
            guard let stored = try MPinClient.registration(of: user, in: inUse),
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

extension User {
    /// What stands in the record for the programs that enroll.
    package internal(set) var notes: EnrollmentNotes {
        get { EnrollmentNotes(record.notes) }
        set { record.notes = newValue.encode() }
    }
}
#endif
