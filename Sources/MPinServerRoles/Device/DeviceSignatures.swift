// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto

/// Checks the signatures of devices. The check for an unknown device takes nearly as long as for a known one.
struct DeviceSignatures: Sendable {
    /// The key against which the signatures of unknown devices are checked.
    private let fixed: DevicePublicKey

    /// - Throws: ``CryptoError/libraryUnavailable``.
    init() throws(CryptoError) { fixed = try DeviceKey.generate().publicKey }

    /// Whether a registration's key has signed a digest.
    ///
    /// - Parameter key: 65 bytes; nil if the registration is unknown, or has no key.
    /// - Throws: ``CryptoError`` if memory is short. Then nothing is known about the signature.
    func accept(_ signature: [UInt8], over digest: [UInt8], by key: [UInt8]?) throws(CryptoError) -> Bool {
        let publicKey = key.map { DevicePublicKey(kept: $0) } ?? fixed
        let isSigned = try publicKey.verifies(signature, over: digest)
        return isSigned && key != nil
    }
}
