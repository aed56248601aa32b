// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerRoles
internal import MPinServerStorage
internal import SystemFiles

extension SealKey {
    static let checkSize = 3
    private static let identifierSize = 5

    static func read(_ file: borrowing SystemFile) throws(ServerError) -> SealKey {
        // One byte more than a key, to detect a file that is too long.
        var key = try ServerError.secretBytes(size + 1)
        let count = key.withMutableBytes(count: size + 1) { bytes in (try? file.read(into: &bytes)) ?? 0 }
        key.withMutableBytes(count: count) { _ in }
        return try SealKey(key, from: file.path)
    }

    static func generate() throws(ServerError) -> SealKey {
        do {
            var key = try SecretBytes(capacity: size)
            try Random.fill(&key, count: size)
            return try SealKey(key)
        } catch { throw error as? ServerError ?? ServerError(.internalFault, "cannot make a key") }
    }

    /// The name of the key in messages and files. It does not reveal anything of the key.
    var identifier: String {
        get throws(ServerError) {
            do throws(CryptoError) {
                let code = Array(try code("mpin-server key identifier 1").prefix(Self.identifierSize))
                var symbols: [UInt8] = []
                RecoveryKey.append(code.span, [], to: &symbols)
                return String(decoding: symbols, as: UTF8.self)
            } catch { throw ServerError(.internalFault, "cannot compute the name of the key: \(error)") }
        }
    }

    /// The checksum of the key, which detects all but one of 16 million wrong keys.
    func check() throws(CryptoError) -> [UInt8] { Array(try code("mpin-server recovery key 1").prefix(Self.checkSize)) }
}
