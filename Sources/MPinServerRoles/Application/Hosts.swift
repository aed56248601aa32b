// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// The hosts that may open cross-device sessions in their names, each with a secret of its own.
package struct Hosts: Sendable {
    let store: ServerStorage
    /// The present key, and the keys that rotations have retired.
    let keys: [SigningKey]

    /// The name of the host with that secret. A removed host is unknown from the next request on.
    func name(_ secret: String) throws -> String? {
        for key in keys {
            guard let hash = try Self.hash(secret, key: key) else { return nil }
            if let name = try store.host(withSecret: hash) { return name }
        }
        return nil
    }

    /// A new secret of 256 random bits, in 64 hexadecimal digits.
    package static func generate() throws(CryptoError) -> String { HexText(bytes: try Random.bytes(32)).string }

    /// The stored form of a secret; nil if it is malformed.
    package static func hash(_ secret: String, key: SigningKey) throws(CryptoError) -> [UInt8]? {
        let isPlain = secret.utf8.allSatisfy {
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
        }
        guard secret.utf8.count == 64, isPlain else { return nil }
        return try key.sign([secret])
    }
}
