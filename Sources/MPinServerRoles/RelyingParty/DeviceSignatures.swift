// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto

/// Checks the signatures of devices. The check for an unknown device takes nearly as long as for a known one.
struct DeviceSignatures: Sendable {
    /// The key against which the signatures of unknown devices are checked.
    private let fixed: DevicePublicKey

    /// - Throws: ``CryptoError/libraryUnavailable``.
    init() throws(CryptoError) { fixed = try DeviceKey.generate().publicKey }

    /// Whether a signature is valid under a registration's key.
    ///
    /// - Parameter key: 65 bytes; nil if the registration is unknown, or has no key.
    func accepts(_ signature: [UInt8], over digest: [UInt8], by key: [UInt8]?) -> Bool {
        let isGood = (key.map { DevicePublicKey(kept: $0) } ?? fixed).accepts(signature, over: digest)
        return isGood && key != nil
    }
}
