// SPDX-License-Identifier: Apache-2.0
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

    /// A text with these bytes, of which some are digits: only what tells decimal digits from each other is marked, so that
    /// the text still ends where it does for a reader.
    static func digits(_ text: [UInt8], in range: Range<Int>? = nil) -> [UInt8] {
        let copy = text.map { $0 }
        unsafe copy.withUnsafeBytes { bytes in
            let digits = unsafe UnsafeRawBufferPointer(rebasing: bytes[range ?? text.indices])
            if let start = digits.baseAddress { unsafe mpin_mark_digits(start, digits.count) }
        }
        return copy
    }

    private static func mark(_ bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress { unsafe mpin_mark_secret(start, bytes.count) }
    }
}
