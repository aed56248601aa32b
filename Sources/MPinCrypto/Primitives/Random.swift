// SPDX-License-Identifier: Apache-2.0
internal import COpenSSL

/// Random bytes from the kernel.
package enum Random {
    /// `count` random bytes.
    package static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        guard unsafe mpin_random(&bytes, count) == 1 else { throw .randomUnavailable }
        return bytes
    }

    /// Fills a secret buffer with `count` random bytes.
    ///
    /// - Parameter count: at most the buffer's capacity.
    /// - Throws: ``CryptoError/randomUnavailable``, ``CryptoError/memoryUnavailable`` if they do not fit.
    package static func fill(_ secret: inout SecretBytes, count: Int) throws(CryptoError) {
        guard count > 0, count <= secret.capacity else { throw .memoryUnavailable }
        let done = unsafe secret.withMutablePointer(count: count) { unsafe mpin_random($0, count) }
        guard done == 1 else {
            secret.wipe()
            throw .randomUnavailable
        }
    }

    /// `count` random decimal digits in ASCII, uniformly distributed.
    package static func digits(_ count: Int) throws(CryptoError) -> [UInt8] {
        var digits: [UInt8] = []
        while digits.count < count {
            // 250 is the largest multiple of ten in a byte. Higher values would favor the small digits.
            for byte in try bytes(2 * (count - digits.count)) where byte < 250 && digits.count < count {
                digits.append(0x30 + byte % 10)
            }
        }
        return digits
    }
}
