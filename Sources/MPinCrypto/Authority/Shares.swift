// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import Pairing

/// Adds the two authorities' shares.
package enum Shares {
    /// The sum of two shares of a client secret or of a time permit, 65 bytes.
    ///
    /// - Throws: ``CryptoError/invalidPoint``; ``CryptoError/infinity`` if the shares cancel each other;
    ///   ``CryptoError/memoryUnavailable``.
    package static func recombine(
        _ first: borrowing SecretBytes, _ second: borrowing SecretBytes
    ) throws(CryptoError) -> SecretBytes {
        defer { mpin_wipe_stack() }
        return try sum(first, second)
    }

    /// The sum of two shares of the server secret, 128 bytes.
    ///
    /// - Throws: ``CryptoError/invalidPoint``; ``CryptoError/infinity`` if the shares cancel each other;
    ///   ``CryptoError/memoryUnavailable``.
    package static func recombineServer(
        _ first: borrowing SecretBytes, _ second: borrowing SecretBytes
    ) throws(CryptoError) -> SecretBytes {
        defer { mpin_wipe_stack() }
        return try twistSum(first, second)
    }

    @inline(never)
    private static func twistSum(
        _ first: borrowing SecretBytes, _ second: borrowing SecretBytes
    ) throws(CryptoError) -> SecretBytes {
        try SecretBytes.encoding(try first.twistPoint() + second.twistPoint())
    }

    @inline(never)
    private static func sum(
        _ first: borrowing SecretBytes, _ second: borrowing SecretBytes
    ) throws(CryptoError) -> SecretBytes {
        try SecretBytes.encoding(try first.point() + second.point())
    }
}
