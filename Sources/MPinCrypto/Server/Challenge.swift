// SPDX-License-Identifier: Apache-2.0
internal import Pairing

/// The server's challenge y.
package enum Challenge {
    /// A challenge of 32 bytes: y = a + b lambda mod r for two random numbers of 64 bits, where lambda is the
    /// eigenvalue of G1's endomorphism. It is in plain memory, because the client receives it anyway.
    ///
    /// Different pairs give different y, so a challenge is guessed with a probability of 2^-128. The server computes y
    /// A in half the time that an arbitrary number would take. Clients accept it like any number below r. The
    /// challenges of direct logins have the same form.
    package static func generate() throws(CryptoError) -> [UInt8] {
        for _ in 0..<2 {
            let bytes = try Random.bytes(16)
            let y = Scalar(shortA: word(bytes, 0), shortB: word(bytes, 8))
            // 0 is not a valid challenge.
            guard !y.isZero.isSet else { continue }
            return encoded(y)
        }
        throw .randomUnavailable
    }

    /// The 32 bytes of a public number.
    static func encoded(_ scalar: Scalar) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Scalar.byteCount)
        var span = bytes.mutableSpan
        scalar.encode(into: &span)
        return bytes
    }

    /// The number in eight bytes from `start` on, big-endian.
    static func word(_ bytes: [UInt8], _ start: Int) -> UInt64 {
        var word: UInt64 = 0
        for byte in bytes[start..<start + 8] { word = word << 8 | UInt64(byte) }
        return word
    }
}
