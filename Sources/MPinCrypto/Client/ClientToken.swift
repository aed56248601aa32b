internal import CMPinSystem
internal import Pairing

/// The token: what is left of the client secret when the PIN has been taken out.
package enum ClientToken {
    /// token = sA - alpha A, 65 bytes.
    ///
    /// - Throws: ``CryptoError/invalidPoint``; ``CryptoError/infinity`` where the PIN is the whole secret;
    ///   ``CryptoError/memoryUnavailable``.
    package static func extract(
        identity: Identity, factor: borrowing PINFactor, clientSecret: borrowing SecretBytes
    ) throws(CryptoError) -> SecretBytes {
        defer { mpin_wipe_stack() }
        return try shifted(clientSecret, by: -factor.scalar(), of: identity)
    }

    /// The token for another PIN, made without the authorities: token + (old - new) A.
    ///
    /// The result is good only if `old` was right, which nothing here can tell.
    /// - Throws: ``CryptoError/invalidPoint``; ``CryptoError/infinity``; ``CryptoError/memoryUnavailable``.
    package static func changeFactor(
        identity: Identity, token: borrowing SecretBytes, from old: borrowing PINFactor, to new: borrowing PINFactor
    ) throws(CryptoError) -> SecretBytes {
        defer { mpin_wipe_stack() }
        return try shifted(token, by: old.scalar() + -new.scalar(), of: identity)
    }

    @inline(never)
    private static func shifted(
        _ secret: borrowing SecretBytes, by scalar: Scalar, of identity: Identity
    ) throws(CryptoError) -> SecretBytes {
        try SecretBytes.encoding(try secret.point() + identity.point.multiplied(by: scalar))
    }
}
