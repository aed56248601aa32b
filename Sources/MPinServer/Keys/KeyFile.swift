// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinCrypto
internal import MPinServerRoles
internal import MPinServerStorage
internal import SystemFiles

/// The file that contains the sealing key: 32 bytes, mode 0600.
enum KeyFile {
    /// Reads the key.
    static func read(_ path: String) throws(ServerError) -> SealKey {
        try read(ServerError.ofFiles { () throws(FileError) in try SystemFile.regular(path, O_RDONLY | O_NOFOLLOW) })
    }

    /// Reads the key in an open file.
    static func read(_ file: borrowing SystemFile) throws(ServerError) -> SealKey {
        // One byte more than a key, to detect a file that is too long.
        var key = try ServerError.secretBytes(SealKey.size + 1)
        let count = key.withMutableBytes(count: SealKey.size + 1) { bytes in (try? file.read(into: &bytes)) ?? 0 }
        key.withMutableBytes(count: count) { _ in }
        return try SealKey(key, from: file.path)
    }
}
