extension MPin {
    /// Puts a registration from the staging area in the place of the one in use.
    ///
    /// For a client that was opened on ``FileStore/Area/staging``, once the new registration has logged in.
    /// - Returns: the M-Pin ID of the registration that it replaced, if there was one.
    package mutating func adopt(_ user: User) throws(MPinError) -> String? {
        guard isListed(user), user.state == .registered else {
            throw MPinError(.flowError, "Only a registration that can log in may replace another.")
        }
        let lock = try lock(until: deadline(), create: true)
        var replaced: String?
        do throws(StoreError) {
            let inUse = try store.beside(.users, create: true)
            replaced = try MPin.registration(of: user, in: inUse)?.mpinID
            try RecordFile.write(user, to: inUse)
            try RecordFile.remove(user, from: store)
        } catch { throw MPinError(error) }
        _ = lock.number
        return replaced
    }

    private static func registration(of user: User, in store: borrowing FileStore) throws(StoreError) -> User? {
        do throws(StoreError) {
            return try RecordFile.load(store).users.first { $0.isRegistration(of: user.identity, at: user.backend) }
        } catch .notEnrolled { return nil }
    }
}
