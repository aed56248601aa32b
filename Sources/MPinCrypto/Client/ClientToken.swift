// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import Pairing

/// The token: the client secret minus the PIN's part.
package enum ClientToken {
    /// token = sA - alpha A, 65 bytes.
    ///
    /// - Throws: ``CryptoError/invalidPoint``; ``CryptoError/infinity`` if the PIN's part is the whole secret;
    ///   ``CryptoError/memoryUnavailable``.
    package static func extract(
        identity: Identity, factor: borrowing PINFactor, clientSecret: borrowing SecretBytes
    ) throws(CryptoError) -> SecretBytes {
        defer { mpin_wipe_stack() }
        return try extracted(identity, factor, clientSecret)
    }

    /// The token for another PIN, computed without the authorities: token + (old - new) A.
    ///
    /// The result is valid only if `old` was right, which cannot be checked here.
    /// - Throws: ``CryptoError/invalidPoint``; ``CryptoError/infinity``; ``CryptoError/memoryUnavailable``.
    package static func changeFactor(
        identity: Identity, token: borrowing SecretBytes, from old: borrowing PINFactor, to new: borrowing PINFactor
    ) throws(CryptoError) -> SecretBytes {
        defer { mpin_wipe_stack() }
        return try changed(identity, token, old, new)
    }

    @inline(never)
    private static func extracted(
        _ identity: Identity, _ factor: borrowing PINFactor, _ clientSecret: borrowing SecretBytes
    ) throws(CryptoError) -> SecretBytes {
        let point = try clientSecret.point()
        return try SecretBytes.encoding(point + identity.point.multiplied(by: -factor.scalar()))
    }

    @inline(never)
    private static func changed(
        _ identity: Identity, _ token: borrowing SecretBytes, _ old: borrowing PINFactor, _ new: borrowing PINFactor
    ) throws(CryptoError) -> SecretBytes {
        let point = try token.point()
        return try SecretBytes.encoding(point + identity.point.multiplied(by: old.scalar() + -new.scalar()))
    }
}
