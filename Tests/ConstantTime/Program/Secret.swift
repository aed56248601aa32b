import CValgrind
import MPinCrypto

/// Secrets for the check: bytes that memcheck takes for undefined, so that it reports what depends on them.
enum Secret {
    /// A secret buffer with these bytes.
    static func bytes(_ bytes: [UInt8]) throws(CryptoError) -> SecretBytes {
        var secret = try SecretBytes(capacity: bytes.count)
        secret.withMutableBytes(count: bytes.count) { target in
            for index in bytes.indices { target[index] = bytes[index] }
            unsafe target.withUnsafeBytes { unsafe mark($0) }
        }
        return secret
    }

    /// Marks the content of a secret that was calculated.
    static func mark(_ secret: borrowing SecretBytes) {
        secret.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe mark($0) } }
    }

    /// An array with these bytes, marked.
    static func array(_ bytes: [UInt8]) -> [UInt8] {
        let copy = bytes.map { $0 }
        unsafe copy.withUnsafeBytes { unsafe mark($0) }
        return copy
    }

    private static func mark(_ bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress { unsafe mpin_mark_secret(start, bytes.count) }
    }
}
