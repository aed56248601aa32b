// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import MPinCrypto
internal import MPinServerRoles
internal import MPinServerStorage

/// The file that contains the sealing key: 32 bytes, mode 0600.
enum KeyFile {
    /// Creates the file of a key durably. Does not change an existing file.
    static func create(_ path: String, _ key: SealKey) throws(ServerError) {
        let file = try PrivateFile.make(path, hint: "")
        defer { close(file) }
        let written = key.withBytes { bytes in
            unsafe bytes.withUnsafeBufferPointer { unsafe write(file, $0.baseAddress, $0.count) }
        }
        guard written == SealKey.size, fsync(file) == 0 else {
            let error = SystemError()
            unsafe unlink(path)
            throw ServerError(.storage, "cannot write \(path): \(error.text)")
        }
    }

    /// Reads the key.
    static func read(_ path: String) throws(ServerError) -> SealKey {
        let file = try RegularFile.open(path, O_RDONLY | O_NOFOLLOW)
        defer { close(file) }
        guard var key = Self.buffer() else { throw ServerError(.internalFault, "cannot allocate memory for a secret") }
        let count = key.withMutableBytes(count: SealKey.size + 1) { bytes in
            unsafe bytes.withUnsafeMutableBufferPointer { unsafe Glibc.read(file, $0.baseAddress, $0.count) }
        }
        key.withMutableBytes(count: max(0, count)) { _ in }
        return try SealKey(key)
    }

    /// One byte more than a key, to detect a file that is too long.
    private static func buffer() -> SecretBytes? {
        do { return try SecretBytes(capacity: SealKey.size + 1) } catch { return nil }
    }
}
