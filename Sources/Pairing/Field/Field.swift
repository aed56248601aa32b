// SPDX-License-Identifier: Apache-2.0

/// An element of a prime field, in Montgomery form (Montgomery 1985): a is stored as a 2^256 mod p, always below p.
///
/// Every operation takes the same time for all values, unless its comment says otherwise.
package struct Field<M: Modulus>: Sendable, BitwiseCopyable {
    var limbs: Limbs

    @inline(__always)
    init(montgomery limbs: Limbs) {
        self.limbs = limbs
    }

    @inline(__always)
    package static var zero: Field { Field(montgomery: .zero) }

    @inline(__always)
    package static var one: Field {
        let one = M.montgomeryOne
        return Field(montgomery: Limbs(one.0, one.1, one.2, one.3))
    }

    #if hasFeature(Embedded)
    @inline(never)
    #else
    @inline(__always)
    #endif
    package static func + (a: Field, b: Field) -> Field {
        Field(montgomery: a.limbs.adding(b.limbs).sum.reducedOnce(by: M.limbs))
    }

    #if hasFeature(Embedded)
    @inline(never)
    #else
    @inline(__always)
    #endif
    package static func - (a: Field, b: Field) -> Field {
        let (difference, borrow) = a.limbs.subtracting(b.limbs)
        return Field(montgomery: difference.adding(M.limbs.masked(0 &- borrow)).sum)
    }

    @inline(__always)
    package static prefix func - (a: Field) -> Field { zero - a }

    @inline(__always)
    package var doubled: Field { self + self }

    @inline(__always)
    package var tripled: Field { self + self + self }

    /// `a` if the mask is set, otherwise `b`.
    @inline(__always)
    package static func select(_ mask: Mask, _ a: Field, _ b: Field) -> Field {
        Field(montgomery: Limbs.select(mask, a.limbs, b.limbs))
    }

    /// Set for 0.
    @inline(__always)
    package var isZero: Mask { limbs.isZero }

    /// Set if both are equal.
    @inline(__always)
    package func equals(_ other: Field) -> Mask {
        let a = limbs
        let b = other.limbs
        return Mask(zero: (a.l0 ^ b.l0) | (a.l1 ^ b.l1) | (a.l2 ^ b.l2) | (a.l3 ^ b.l3))
    }

    // MARK: Unreduced operands of products

    /// a + b, not reduced: below 2p. Only as an operand of a product.
    @inline(__always)
    func plus(_ other: Field) -> Field { Field(montgomery: limbs.adding(other.limbs).sum) }

    /// p - a, which is p for 0. Only as an operand of a product.
    @inline(__always)
    var opposite: Field { Field(montgomery: M.limbs.subtracting(limbs).difference) }

    /// a - b + p: below 2p. Only as an operand of a product.
    @inline(__always)
    func minus(_ other: Field) -> Field {
        Field(montgomery: limbs.adding(M.limbs).sum.subtracting(other.limbs).difference)
    }
}
