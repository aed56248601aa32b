// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
package import MPinServerStorage

/// The key outside the database. It seals the master shares, and all other keys are derived from it.
///
/// A class, because the roles share it. The bytes never change after they were read.
package final class SealKey: @unchecked Sendable {
    package static let size = 32

    private let key: SecretBytes

    /// - Parameter source: the file of the bytes, for the error.
    package init(_ key: consuming SecretBytes, from source: String = "this") throws(ServerError) {
        guard key.count == Self.size else {
            throw ServerError(.configuration, "\(source) is not a key file: it must contain exactly \(Self.size) bytes")
        }
        self.key = key
    }

    package var isLocked: Bool { key.isLocked }

    package func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try key.withBytes { bytes throws(E) in try body(bytes) }
    }

    /// HMAC-SHA-256 of a label that is not used for any purpose.
    package func code(_ label: String) throws(CryptoError) -> [UInt8] { try Hash.hmac(key: key, Array(label.utf8)) }

    /// The sealed form of an authority's master share.
    package func seal(_ master: borrowing SecretBytes, authority number: Int) throws(CryptoError) -> [UInt8] {
        try SealedBox.seal(master, key: key, context: Self.context(number))
    }

    /// The master share of an authority.
    package func open(_ sealed: [UInt8], authority number: Int) throws(CryptoError) -> SecretBytes {
        try SealedBox.open(sealed, key: key, context: Self.context(number))
    }

    /// The key for one purpose: HMAC-SHA-256 of its name, so that the keys are independent of each other.
    package func derive(_ purpose: KeyPurpose) throws(CryptoError) -> SecretBytes {
        try Hash.derive(from: key, Array("mpin-server key 1\n\(purpose.rawValue)".utf8))
    }

    /// Seals a derived key that a rotation retires.
    package func seal(
        _ key: borrowing SecretBytes, retired purpose: KeyPurpose, at time: Int64
    ) throws(CryptoError) -> RetiredKey {
        RetiredKey(
            purpose: purpose, retired: time,
            sealed: try SealedBox.seal(key, key: self.key, context: Self.context(purpose)))
    }

    package func open(retired key: RetiredKey) throws(CryptoError) -> SecretBytes {
        try SealedBox.open(key.sealed, key: self.key, context: Self.context(key.purpose))
    }

    package func seal(_ secret: borrowing SecretBytes, as name: SealedSecret) throws(CryptoError) -> [UInt8] {
        try SealedBox.seal(secret, key: key, context: Self.context(name))
    }

    package func open(_ sealed: [UInt8], as name: SealedSecret) throws(CryptoError) -> SecretBytes {
        try SealedBox.open(sealed, key: key, context: Self.context(name))
    }

    package func seal(_ key: borrowing DeviceKey, as name: SealedSecret) throws(CryptoError) -> [UInt8] {
        var scalar = try SecretBytes(capacity: DeviceKey.byteCount)
        key.withScalar { source in
            scalar.withMutableBytes(count: DeviceKey.byteCount) { target in
                for index in target.indices where index < source.count { target[index] = source[index] }
            }
        }
        return try seal(scalar, as: name)
    }

    private static func context(_ name: SealedSecret) -> [UInt8] {
        Array("mpin-server secret 1\n\(name.rawValue)".utf8)
    }

    private static func context(_ purpose: KeyPurpose) -> [UInt8] {
        Array("mpin-server retired key 1\n\(purpose.rawValue)".utf8)
    }

    private static func context(_ number: Int) -> [UInt8] { Array("mpin-server master share 1\n\(number)".utf8) }
}
