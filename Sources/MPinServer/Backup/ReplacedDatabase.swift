// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage
internal import SystemFiles

/// The database that a restore replaces.
enum ReplacedDatabase {
    case none
    /// It cannot be read, so nothing is known about the direct logins that it has accepted.
    case unreadable
    /// - latest: the latest time of a direct login that it may have accepted.
    case readable(latest: Int64)

    init(of directory: ServerDirectory) {
        guard FileFacts.isThere(directory.database) else {
            self = .none
            return
        }
        do throws(ServerError) {
            self = .readable(latest: try SQLiteStorage.latestTime(in: directory.database))
        } catch { self = .unreadable }
    }

    var latest: Int64? { if case .readable(let latest) = self { latest } else { nil } }
}
