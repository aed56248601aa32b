// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Pairing

/// The challenge of the one-pass form, which neither our client nor our server speaks: the client makes it itself, from
/// the time and what it commits to. The vectors of other implementations have it.
enum OnePass {
    /// y = SHA-256(time as 4 bytes | commitment | message) mod r, 32 bytes.
    ///
    /// - Parameters:
    ///   - time: unix seconds, from 1 to 2^31 - 1.
    ///   - commitment: UT where there is a time permit, U without one; 65 bytes.
    static func challenge(time: Int, commitment: [UInt8], message: [UInt8]) throws -> [UInt8] {
        guard (1...Int(Int32.max)).contains(time), commitment.count == G1.byteCount else {
            throw CryptoError.invalidMessage
        }
        let seconds = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: time >> $0) }
        let digest = try Hash.sha256(seconds + commitment + message)
        var y = [UInt8](repeating: 0, count: Scalar.byteCount)
        var span = y.mutableSpan
        Scalar(reducing: digest.span).encode(into: &span)
        return y
    }
}
