internal import Pairing

/// The one-pass form: the client makes the challenge itself, from the time and what it commits to.
///
/// Nothing in the mathematics stops a replay: the verifier bounds the age of the time and remembers the commitment.
package enum OnePass {
    /// y = SHA-256(time as 4 bytes | commitment | message) mod r, 32 bytes.
    ///
    /// The message is hashed whole, however long. The libraries of 2016 silently cut what is longer than 191 bytes.
    /// - Parameters:
    ///   - time: unix seconds, from 1 to 2^31 - 1.
    ///   - commitment: UT where there is a time permit, U where there is none; 65 bytes.
    /// - Throws: ``CryptoError/invalidMessage`` for a time or commitment that is none;
    ///   ``CryptoError/libraryUnavailable``.
    package static func challenge(
        time: Int, commitment: [UInt8], message: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        guard (1...Int(Int32.max)).contains(time), commitment.count == G1.byteCount else { throw .invalidMessage }
        let digest = try Hash.sha256(
            PermitDay.bigEndian(UInt32(truncatingIfNeeded: time)) + commitment + message)
        var y = [UInt8](repeating: 0, count: Scalar.byteCount)
        var span = y.mutableSpan
        Scalar(reducing: digest.span).encode(into: &span)
        return y
    }
}
