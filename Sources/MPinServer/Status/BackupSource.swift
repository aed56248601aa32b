// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerRoles
internal import MPinServerStorage
import Synchronization
internal import SystemFiles

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

/// A backup in a file without a name, so that nothing is left when its reader or the server ends.
final class BackupSnapshot: Sendable {
    private static let part = 1 << 18

    let size: Int
    /// When it was made.
    let taken: Timestamp
    private let file: SystemFile

    init(of opened: OpenedDirectory) throws(ServerError) {
        try opened.directory.demandSQLite("Use PostgreSQL's tools for backups, such as pg_basebackup.")
        // No administrator chooses this name. An existing file is from a killed server with the same process number.
        let path = "\(opened.directory.database).snapshot-\(getpid())"
        DatabaseFiles.remove(path)
        try PrivateFile.make(path)
        defer { DatabaseFiles.remove(path) }
        taken = opened.clock.now
        // Not over the connection of the logins, which would wait for the copy.
        try opened.directory.storage(.writing).copy(to: path, mark: taken)
        _ = try BackupMAC.append(to: path, opened.vault.root)
        file = try ServerError.ofFiles { () throws(FileError) in try SystemFile(path) }
        size = Int(lseek(file.descriptor, 0, SEEK_END))
    }

    /// The next bytes from an offset, as many as are sent at once.
    func bytes(at offset: Int) throws(ServerError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: min(Self.part, size - offset))
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe pread(file.descriptor, $0.baseAddress, $0.count, off_t(offset))
        }
        guard count == bytes.count else { throw ServerError(.storage, "cannot read the backup") }
        return bytes
    }
}
