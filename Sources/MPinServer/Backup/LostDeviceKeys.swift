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
    init?(from old: SQLiteStorage?, to new: SQLiteStorage) {
        guard let old else { return nil }
        do throws(ServerError) {
            let lost = try new.usersWithoutKey(of: old.registrationsWithKey())
            count = lost.count
            users = Set(lost).sorted()
        } catch {
            return nil
        }
    }
}
