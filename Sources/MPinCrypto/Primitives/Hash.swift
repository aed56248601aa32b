// SPDX-License-Identifier: Apache-2.0
internal import COpenSSL

/// SHA-256 and functions based on it.
package enum Hash {
    /// The length of a digest and of a code, in bytes.
    package static let byteCount = 32

    /// SHA-256 (FIPS 180-4).
    package static func sha256(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] { try sha256(bytes.span) }

    /// SHA-256 of bytes that are only lent.
    package static func sha256(_ bytes: Span<UInt8>) throws(CryptoError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        let done = unsafe bytes.withUnsafeBufferPointer { unsafe mpin_sha256($0.baseAddress, $0.count, &digest) }
        guard done == 1 else { throw .libraryUnavailable }
        return digest
    }

    /// SHA-256 of a secret, as a secret.
    static func sha256(_ secret: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
        var digest = try SecretBytes(capacity: byteCount)
        let done = unsafe secret.withPointer { source, count in
            unsafe digest.withMutablePointer(count: byteCount) { unsafe mpin_sha256(source, count, $0) }
        }
        guard done == 1 else { throw .libraryUnavailable }
        return digest
    }

    /// HMAC with SHA-256 (RFC 2104).
    package static func hmac(key: borrowing SecretBytes, _ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: byteCount)
        let done = unsafe key.withPointer { unsafe mpin_hmac_sha256($0, $1, message, message.count, &code) }
        guard done == 1 else { throw .libraryUnavailable }
        return code
    }

    /// HMAC with SHA-256 as a secret: a key that is derived from another one. No copy remains in other memory.
    package static func derive(from key: borrowing SecretBytes, _ message: [UInt8]) throws(CryptoError) -> SecretBytes {
        var derived = try SecretBytes(capacity: byteCount)
        let done = unsafe key.withPointer { key, count in
            unsafe derived.withMutablePointer(count: byteCount) {
                unsafe mpin_hmac_sha256(key, count, message, message.count, $0)
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
