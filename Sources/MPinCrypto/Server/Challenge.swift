internal import Pairing

/// The server's challenge y.
package enum Challenge {
    /// A challenge drawn uniformly from 1 to r - 1, 32 bytes. By rejection, like ``SecretBytes/randomScalar()``, but in
    /// plain memory: every client is told its own.
    ///
    /// - Throws: ``CryptoError/randomUnavailable``.
    package static func generate() throws(CryptoError) -> [UInt8] {
        for _ in 0..<128 {
            var bytes = try Random.bytes(Scalar.byteCount)
            bytes[0] &= 0x3F
            if PointCheck.isScalar(bytes) { return bytes }
        }
        throw .randomUnavailable
    }
}
