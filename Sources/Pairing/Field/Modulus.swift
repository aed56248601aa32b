// SPDX-License-Identifier: Apache-2.0

/// A prime of 254 bits and what Montgomery arithmetic with R = 2^256 needs to know of it.
///
/// The prime has to leave room: 2^256 must be more than six times as large, so that a sum of six products can be
/// reduced at once (see `Field.reduced`).
package protocol Modulus: Sendable {
    /// The limbs of the prime p, the least significant first.
    static var prime: (UInt64, UInt64, UInt64, UInt64) { get }
    /// -1/p mod 2^64.
    static var negativeInverse: UInt64 { get }
    /// 2^256 mod p.
    static var montgomeryOne: (UInt64, UInt64, UInt64, UInt64) { get }
    /// 2^512 mod p.
    static var montgomerySquare: (UInt64, UInt64, UInt64, UInt64) { get }
}

extension Modulus {
    @inline(__always)
    static var limbs: Limbs { Limbs(prime.0, prime.1, prime.2, prime.3) }
}
