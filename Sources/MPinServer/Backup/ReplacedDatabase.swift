// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles
internal import MPinServerStorage
internal import SystemFiles

/// The database that a restore replaces. It is only read, so a restore that fails leaves it as it was.
enum ReplacedDatabase {
    case none
    /// Nothing is known about its server's key, and about the direct logins that it has accepted.
    case unreadable
    /// - latest: the latest time of a direct login that it may have accepted.
    case readable(SQLiteStorage, latest: Int64)

    init(of directory: ServerDirectory) {
        guard FileFacts.isThere(directory.database) else {
            self = .none
            return
        }
        do throws(ServerError) {
            let store = try SQLiteStorage(reading: directory.database)
            self = .readable(store, latest: try store.latestTime())
        } catch { self = .unreadable }
    }

    var isUnreadable: Bool { if case .unreadable = self { true } else { false } }
    var latest: Int64? { if case .readable(_, let latest) = self { latest } else { nil } }
    var store: SQLiteStorage? { if case .readable(let store, _) = self { store } else { nil } }
}

/// The key with which a restored server proves itself: that of the backup.
package struct RestoredServerKey: Sendable {
    package let fingerprint: String
    /// Whether devices may know another key: that of the database that was replaced.
    package let isChanged: Bool

    /// - Parameter replaced: the replaced database.
    init(_ vault: Vault, replacing replaced: ReplacedDatabase) throws(ServerError) {
        let key = try vault.serverKey()
        let former = try? replaced.store?.serverPublicKey()
        fingerprint = key.fingerprint
        isChanged = former.map { $0 != key.publicKey } ?? false
    }
}
