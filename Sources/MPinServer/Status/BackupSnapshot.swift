// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerRoles
internal import MPinServerStorage
internal import SystemFiles

/// A backup in a file without a name, so that nothing is left when its reader or the server ends.
final class BackupSnapshot: Sendable {
    private static let part = 1 << 18

    let size: Int
    /// When it was made.
    let taken: Timestamp
    private let file: SystemFile

    init(of opened: OpenedDirectory) throws(ServerError) {
        // No administrator chooses this name. An existing file is from a killed server with the same process number.
        let path = "\(opened.directory.database).snapshot-\(getpid())"
        DatabaseFiles.remove(path)
        try PrivateFile.make(path)
        defer { DatabaseFiles.remove(path) }
        taken = opened.clock.now
        // Not over the connection of the logins, which would wait for the copy.
        try SQLiteStorage(path: opened.directory.database).copy(to: path, mark: taken)
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
