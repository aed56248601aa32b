/// Why an operation of M-Pin's mathematics was refused or could not be done.
package enum CryptoError: Error, Equatable {
    /// Bytes that are not a point of the group: wrong length or first byte, a coordinate out of range, off the curve,
    /// or outside the subgroup.
    case invalidPoint
    /// A scalar of the wrong length, or 0 modulo the group order.
    case invalidScalar
    /// The result would be the point at infinity, which has no encoding and no business here.
    case infinity
    /// A PIN that its scheme does not allow.
    case invalidPIN
    /// Not a day after 1970-01-01 that fits 31 bits.
    case invalidDate
    /// A message of parts that cannot be told apart once they are joined.
    case invalidMessage
    /// A sealed value that was changed, or sealed with another key or for another purpose.
    case invalidSeal
    /// The system gives no random bytes.
    case randomUnavailable
    /// The system gives no memory for a secret.
    case memoryUnavailable
    /// libcrypto could not be opened, or lacks a function.
    case libraryUnavailable
}
