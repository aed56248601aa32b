// SPDX-License-Identifier: Apache-2.0
internal import COpenSSL

/// SHA-256 and functions based on it.
package enum Hash {
    /// The length of a digest and of a code, in bytes.
    package static let byteCount = 32

    /// SHA-256 (FIPS 180-4).
    ///
    /// - Throws: ``CryptoError/libraryUnavailable``.
    package static func sha256(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] { try sha256(bytes.span) }

    /// SHA-256 of bytes that are only lent.
    ///
    /// - Throws: ``CryptoError/libraryUnavailable``.
    package static func sha256(_ bytes: Span<UInt8>) throws(CryptoError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        let done = unsafe bytes.withUnsafeBufferPointer { source in
            unsafe digest.withUnsafeMutableBufferPointer { target in
                guard let start = target.baseAddress else { return Int32(0) }
                return unsafe mpin_sha256(source.baseAddress, source.count, start)
            }
        }
        guard done == 1 else { throw .libraryUnavailable }
        return digest
    }

    /// SHA-256 of a secret, as a secret.
    ///
    /// - Throws: ``CryptoError/libraryUnavailable``, ``CryptoError/memoryUnavailable``.
    static func sha256(_ secret: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
        var digest = try SecretBytes(capacity: byteCount)
        let done = secret.withBytes { source in
            digest.withMutableBytes(count: byteCount) { target in
                unsafe source.withUnsafeBufferPointer { source in
                    unsafe target.withUnsafeMutableBufferPointer { target in
                        guard let start = target.baseAddress else { return Int32(0) }
                        return unsafe mpin_sha256(source.baseAddress, source.count, start)
                    }
                }
            }
        }
        guard done == 1 else { throw .libraryUnavailable }
        return digest
    }

    /// HMAC with SHA-256 (RFC 2104).
    ///
    /// - Throws: ``CryptoError/libraryUnavailable``.
    package static func hmac(key: borrowing SecretBytes, _ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: byteCount)
        let done = key.withBytes { key in
            unsafe key.withUnsafeBufferPointer { key in
                unsafe message.withUnsafeBufferPointer { source in
                    unsafe code.withUnsafeMutableBufferPointer { target in
                        guard let start = target.baseAddress else { return Int32(0) }
                        return unsafe mpin_hmac_sha256(
                            key.baseAddress, key.count, source.baseAddress, source.count, start)
                    }
                }
            }
        }
        guard done == 1 else { throw .libraryUnavailable }
        return code
    }

    /// HMAC with SHA-256 as a secret: a key that is derived from another one. No copy remains in other memory.
    ///
    /// - Throws: ``CryptoError/libraryUnavailable``, ``CryptoError/memoryUnavailable``.
    package static func derive(from key: borrowing SecretBytes, _ message: [UInt8]) throws(CryptoError) -> SecretBytes {
        var derived = try SecretBytes(capacity: byteCount)
        let done = key.withBytes { key in
            derived.withMutableBytes(count: byteCount) { target in
                unsafe key.withUnsafeBufferPointer { key in
                    unsafe message.withUnsafeBufferPointer { source in
                        unsafe target.withUnsafeMutableBufferPointer { target in
                            guard let start = target.baseAddress else { return Int32(0) }
                            return unsafe mpin_hmac_sha256(
                                key.baseAddress, key.count, source.baseAddress, source.count, start)
                        }
                    }
                }
            }
        }
        guard done == 1 else { throw .libraryUnavailable }
        return derived
    }

    /// Compares two byte strings, in a time that depends only on their lengths.
    package static func equal(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        guard a.count == b.count else { return false }
        var difference: UInt8 = 0
        for index in a.indices { difference |= a[index] ^ b[index] }
        return difference == 0
    }
}
