// SPDX-License-Identifier: Apache-2.0
internal import COpenSSL

/// The public half of a device key: an uncompressed point of P-256 (FIPS 186-5).
package struct DevicePublicKey: Sendable, Equatable {
    /// The length of ``bytes``.
    package static let byteCount = 65
    /// The length of a signature: r and s, 32 bytes each, big-endian, as in WebCrypto.
    package static let signatureByteCount = 64

    /// 04, x and y.
    package let bytes: [UInt8]

    /// - Throws: ``CryptoError/invalidPoint`` for anything but 65 bytes of a point; ``CryptoError/libraryUnavailable``.
    package init(_ bytes: [UInt8]) throws(CryptoError) {
        guard mpin_crypto_available() == 1 else { throw .libraryUnavailable }
        guard bytes.count == Self.byteCount else { throw .invalidPoint }
        guard unsafe mpin_p256_is_point(bytes) == 1 else { throw .invalidPoint }
        self.bytes = bytes
    }

    /// Makes a key that was checked when it was stored. An invalid one accepts no signature.
    package init(kept bytes: [UInt8]) { self.bytes = bytes }

    /// Whether a signature over a digest of 32 bytes is from this key. One that is malformed, or that cannot be verified
    /// for lack of memory, is not.
    package func accepts(_ signature: [UInt8], over digest: [UInt8]) -> Bool {
        do throws(CryptoError) { return try verifies(signature, over: digest) } catch { return false }
    }

    /// Whether a signature over a digest of 32 bytes is from this key. Malformed signatures are not.
    ///
    /// ECDSA, with s in either half: TPMs and WebCrypto produce both, and nothing requires signatures to be unique.
    /// - Throws: ``CryptoError/memoryUnavailable`` if this process lacks memory or libcrypto to decide that.
    package func verifies(_ signature: [UInt8], over digest: [UInt8]) throws(CryptoError) -> Bool {
        guard bytes.count == Self.byteCount, signature.count == Self.signatureByteCount, digest.count == Hash.byteCount
        else { return false }
        let verdict = unsafe mpin_p256_verify(bytes, digest, signature)
        guard verdict >= 0 else { throw .memoryUnavailable }
        return verdict == 1
    }
}
