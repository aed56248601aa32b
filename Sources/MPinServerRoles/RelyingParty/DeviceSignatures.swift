// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto

/// Checks the signatures of devices. The check for an unknown device takes nearly as long as for a known one.
struct DeviceSignatures: Sendable {
    /// The key against which the signatures of unknown devices are checked.
    private let fixed: DevicePublicKey

    /// - Throws: ``CryptoError/libraryUnavailable``.
    init() throws(CryptoError) { fixed = try DeviceKey.generate().publicKey }

    /// The first digest that a signature under a registration's key is for; nil if there is none.
    ///
    /// - Parameter key: 65 bytes; nil if the registration is unknown, or has no key.
    /// - Throws: ``CryptoError`` if memory is short. Then nothing is known about the signature.
    func accepted(
        _ signature: [UInt8], over digests: [[UInt8]], by key: [UInt8]?
    ) throws(CryptoError) -> [UInt8]? {
        let publicKey = key.map { DevicePublicKey(kept: $0) } ?? fixed
        var signed: [UInt8]?
        for digest in digests where signed == nil {
            if try publicKey.verifies(signature, over: digest) { signed = digest }
        }
        return key == nil ? nil : signed
    }
}
