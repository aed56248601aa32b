internal import MPinServerStorage

/// Registrations that had a device's key in the database from before, and have none in the backup.
///
/// Their devices sign their logins and go back to no other kind of login, so they have to be enrolled again.
package struct LostDeviceKeys: Sendable {
    package let count: Int
    /// Whose they are, in alphabetical order.
    package let users: [String]

    /// - Returns: nil where one of the two cannot be read.
    init?(from old: String, to new: String) {
        do throws(ServerError) {
            let before = try SQLiteStorage(path: old)
            let bound = try before.registrationsWithKey()
            try before.close()
            let after = try SQLiteStorage(path: new)
            let lost = try after.usersWithoutKey(of: bound)
            try after.close()
            count = lost.count
            users = Set(lost).sorted()
        } catch {
            return nil
        }
    }
}
