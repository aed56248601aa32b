// SPDX-License-Identifier: Apache-2.0
internal import COpenSSL

/// Encryption of secrets at rest: AES-256-GCM (NIST SP 800-38D), as nonce (12 bytes), ciphertext, tag (16 bytes).
///
/// The nonce is random, so one key may seal up to 2^32 times.
package enum SealedBox {
    /// The length of a key, in bytes.
    package static let keyByteCount = 32
    /// The difference between the length of a sealed secret and of the secret, in bytes.
    package static let overhead = nonceByteCount + tagByteCount

    private static let nonceByteCount = 12
    private static let tagByteCount = 16

    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - context: the kind and the owner of the secret; opening needs the same context.
    /// - Throws: ``CryptoError/invalidSeal`` for a key of another length, ``CryptoError/randomUnavailable``,
    ///   ``CryptoError/libraryUnavailable``.
    package static func seal(
        _ plain: borrowing SecretBytes, key: borrowing SecretBytes, context: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        guard key.count == keyByteCount else { throw .invalidSeal }
        var sealed = try Random.bytes(nonceByteCount)
        sealed.append(contentsOf: repeatElement(0, count: plain.count + tagByteCount))
        let done = unsafe key.withPointer { key, _ in
            unsafe plain.withPointer { plain, count in
                unsafe sealed.withUnsafeMutableBufferPointer { sealed in
                    guard let start = sealed.baseAddress else { return Int32(0) }
                    return unsafe mpin_gcm_seal(
                        key, start, context, context.count, plain, count, start + nonceByteCount,
                        start + nonceByteCount + count)
                }
            }
        }
        guard done == 1 else { throw .libraryUnavailable }
        return sealed
    }

    /// Opens what ``seal(_:key:context:)`` made.
    ///
    /// - Throws: ``CryptoError/invalidSeal`` if anything differs: key, context or a single bit;
    ///   ``CryptoError/libraryUnavailable``, ``CryptoError/memoryUnavailable``.
    package static func open(
        _ sealed: [UInt8], key: borrowing SecretBytes, context: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        guard key.count == keyByteCount, sealed.count >= overhead else { throw .invalidSeal }
        guard mpin_crypto_available() == 1 else { throw .libraryUnavailable }
        let count = sealed.count - overhead
        var plain = try SecretBytes(capacity: max(1, count))
        let done = unsafe key.withPointer { key, _ in
            unsafe plain.withMutablePointer(count: count) { plain in
                unsafe sealed.withUnsafeBufferPointer { sealed in
                    guard let start = sealed.baseAddress else { return Int32(0) }
                    return unsafe mpin_gcm_open(
                        key, start, context, context.count, start + nonceByteCount, count,
                        start + nonceByteCount + count, plain)
                }
            }
        }
        guard done == 1 else { throw .invalidSeal }
        return plain
    }
}
