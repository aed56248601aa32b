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

extension Modulus { @inline(__always) static var limbs: Limbs { Limbs(prime.0, prime.1, prime.2, prime.3) } }

/// p = 36u^4 + 36u^3 + 24u^2 + 6u + 1 with u = -0x4000000003C012B1: the field of BN254CX.
package enum BaseModulus: Modulus {
    @inline(__always)
    package static var prime: (UInt64, UInt64, UInt64, UInt64) {
        (0xBE66_23EF_5C1B_55B3, 0x243F_D6EE_1809_3EE1, 0xB0BD_DF64_7A63_66D3, 0x2400_0000_0870_2A0D)
    }
    @inline(__always)
    package static var negativeInverse: UInt64 { 0xEF4E_205B_F978_9E85 }
    @inline(__always)
    package static var montgomeryOne: (UInt64, UInt64, UInt64, UInt64) {
        (0xCB35_0474_7B40_A81B, 0x0241_1F7D_57BF_47D3, 0x2ACE_E440_A748_303A, 0x03FF_FFFF_C4EE_D9A0)
    }
    @inline(__always)
    package static var montgomerySquare: (UInt64, UInt64, UInt64, UInt64) {
        (0x1AB5_6897_EFB9_B4E3, 0xA691_C071_3A43_1A9C, 0xB09D_2443_2010_D99D, 0x0984_F987_7B26_5A33)
    }
}

/// The field of BN254CX.
package typealias Fp = Field<BaseModulus>
