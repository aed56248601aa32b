// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage

/// Registrations that had a device key in the replaced database, and have none in the backup.
///
/// Their devices use only signed logins, so they must be enrolled again.
package struct LostDeviceKeys: Sendable {
    package let count: Int
    /// Their users, in alphabetical order.
    package let users: [String]

    /// - Returns: nil if one of the two databases cannot be read.
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
