// SPDX-License-Identifier: Apache-2.0
#if !hasFeature(Embedded)
package import MPinCrypto
internal import MPinWire

extension User {
    /// The fingerprint of the key of the registration's server; nil for a registration without a pin.
    package var serverKeyFingerprint: KeyFingerprint? {
        isPinned ? record.serverID.flatMap { KeyFingerprint($0.string) } : nil
    }

    /// ``serverKeyFingerprint`` as people compare it.
    package var serverKeyText: String? { serverKeyFingerprint?.text }

    /// How the registration got the key of its server; nil for a registration without a pin.
    package var serverKeySource: ServerKeySource? { record.serverKeySource }
}
#endif
