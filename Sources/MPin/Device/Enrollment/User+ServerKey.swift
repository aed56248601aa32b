// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
internal import MPinWire

extension User {
    /// The fingerprint of the key of the registration's server; nil for a Milagro registration.
    package var serverKeyFingerprint: KeyFingerprint? {
        guard let device else { return nil }
        do throws(CryptoError) { return try KeyFingerprint(of: device.serverKey.bytes) } catch { return nil }
    }

    /// ``serverKeyFingerprint`` as people compare it.
    package var serverKeyText: String? { serverKeyFingerprint?.text }

    /// How the registration got the key of its server; nil for a Milagro registration.
    package var serverKeySource: ServerKeySource? { device?.source }
}
