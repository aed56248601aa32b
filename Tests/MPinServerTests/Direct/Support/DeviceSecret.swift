// SPDX-License-Identifier: Apache-2.0
import MPinCrypto

/// The key pair of a device, in the memory of a test.
struct DeviceSecret: Sendable {
    let scalar: [UInt8]
    let publicKey: [UInt8]

    init() throws {
        let key = try DeviceKey.generate()
        scalar = key.withScalar { bytes in bytes.indices.map { bytes[$0] } }
        publicKey = key.publicKey.bytes
    }

    /// r and s of a digest.
    func sign(_ digest: [UInt8]) throws -> [UInt8] {
        try DeviceKey(scalar: secret(scalar), publicKey: DevicePublicKey(kept: publicKey)).sign(digest)
    }
}
