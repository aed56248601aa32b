// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinCrypto
internal import MPinServerStorage
internal import SystemFiles

/// The input of a backup's MAC: the size of the file, and the SHA-256 digest of each MiB of it.
struct BackupContent {
    private static let chunk = 1 << 20

    let message: [UInt8]

    init(_ path: String) throws(ServerError) {
        let file = try ServerError.ofFiles { () throws(FileError) in try SystemFile(path) }
        var digests: [UInt8] = []
        var size: UInt64 = 0
        while case let bytes = try ServerError.ofFiles({ () throws(FileError) in try file.read(upTo: Self.chunk) }),
            !bytes.isEmpty
        {
            size += UInt64(bytes.count)
            do throws(CryptoError) {
                digests += try Hash.sha256(bytes)
            } catch {
                throw ServerError(.internalFault, "cannot compute a digest: \(error)")
            }
        }
        let sizeBytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: size >> (8 * UInt64($0))) }
        message = Array("mpin-server backup 1\n".utf8) + sizeBytes + digests
    }
}
