// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles
internal import MPinServerStorage
import Synchronization

/// Makes authenticated backups of the served directory, one at a time.
///
/// It uses no input of its caller: the server reads its own database, so a caller cannot have another file
/// authenticated.
final class BackupSource: Sendable {
    private let server: any RequestServer
    private let workers: WorkerPools
    private let isBusy = Mutex(false)

    init(server: any RequestServer, workers: WorkerPools) { (self.server, self.workers) = (server, workers) }

    /// Makes a backup. Logins continue in the meantime.
    func make() async throws -> BackupSnapshot {
        let isFree = isBusy.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
        guard isFree else { throw ServerError(.unavailable, "another backup is in progress") }
        defer { isBusy.withLock { $0 = false } }
        return try await workers.run(.reading) { [server] in
            // Not of a database that has replaced the served one.
            try server.checkDatabase()
            return try BackupSnapshot(of: server.opened)
        }
    }

    /// Reads a part of a backup.
    func read(_ snapshot: BackupSnapshot, at offset: Int) async throws -> [UInt8] {
        try await workers.run(.reading) { try snapshot.bytes(at: offset) }
    }
}
