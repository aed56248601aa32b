// SPDX-License-Identifier: Apache-2.0
internal import COpenSSL

/// The reason why a cryptographic operation was refused or failed.
///
/// The last three can come from every operation that needs random bytes, memory for a secret, or libcrypto.
package enum CryptoError: Error, Equatable {
    /// Bytes that are not the encoding of a point: wrong length or first byte, a coordinate out of range, off the
    /// curve,
    /// or outside the subgroup.
    case invalidPoint
    /// A scalar of the wrong length, or 0 modulo the group order.
    case invalidScalar
    /// The result would be the point at infinity, which has no encoding and is never valid in M-Pin.
    case infinity
    /// A PIN that its scheme does not allow.
    case invalidPIN
    /// A day that is not after 1970-01-01, or does not fit in 31 bits.
    case invalidDate
    /// A message whose parts would be ambiguous once they are joined.
    case invalidMessage
    /// A sealed value that was changed, or sealed with another key or for another purpose.
    case invalidSeal
    /// The system provides no random bytes.
    case randomUnavailable
    /// The system provides no memory for a secret.
    case memoryUnavailable
    /// libcrypto could not be loaded, lacks a function, or is restricted: see ``isLibraryRestricted``.
    case libraryUnavailable

    /// Whether libcrypto can be loaded, but has no SHA-256, because no provider meets the default properties in
    /// openssl.cnf.
    package static var isLibraryRestricted: Bool { mpin_crypto_is_restricted() == 1 }
}
