// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import COpenSSL

/// The private half of a device key, in memory: a number of P-256.
///
/// libcrypto's own copy is on its heap during a call, and is cleared afterwards.
package struct DeviceKey: ~Copyable {
    /// The length of the private half, in bytes.
    package static let byteCount = 32

    private let scalar: SecretBytes
    package let publicKey: DevicePublicKey

    /// - Parameter scalar: 32 bytes, big-endian.
    /// - Throws: ``CryptoError/invalidScalar`` for another length.
    package init(scalar: consuming SecretBytes, publicKey: DevicePublicKey) throws(CryptoError) {
        guard scalar.count == Self.byteCount else { throw .invalidScalar }
        self.scalar = scalar
        self.publicKey = publicKey
    }

    /// Makes a new random key.
    package static func generate() throws(CryptoError) -> DeviceKey {
        defer { mpin_wipe_stack() }
        var scalar = try SecretBytes(capacity: byteCount)
        var point = [UInt8](repeating: 0, count: DevicePublicKey.byteCount)
        let done = unsafe scalar.withMutablePointer(count: byteCount) { unsafe mpin_p256_generate($0, &point) }
        guard done == 1 else { throw .libraryUnavailable }
        return try DeviceKey(scalar: scalar, publicKey: DevicePublicKey(kept: point))
    }

    /// Whether the private half is kept out of swap.
    package var isLocked: Bool { scalar.isLocked }

    /// Lends the private half, so that it can be stored.
    package borrowing func withScalar<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try scalar.withBytes(body)
    }

    /// Lends the private half to C.
    borrowing func withScalarPointer<R>(_ body: (UnsafePointer<UInt8>) -> R) -> R {
        unsafe scalar.withPointer { scalar, _ in unsafe body(scalar) }
    }

    /// Signs a digest of 32 bytes with ECDSA: r and s, 64 bytes.
    ///
    /// - Throws: ``CryptoError/invalidMessage`` for a digest of another length, ``CryptoError/libraryUnavailable``.
    package borrowing func sign(_ digest: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard digest.count == Hash.byteCount else { throw .invalidMessage }
        defer { mpin_wipe_stack() }
        var signature = [UInt8](repeating: 0, count: DevicePublicKey.signatureByteCount)
        let done = unsafe scalar.withPointer { scalar, _ in unsafe mpin_p256_sign(scalar, digest, &signature) }
        guard done == 1 else { throw .libraryUnavailable }
        return signature
    }
}
