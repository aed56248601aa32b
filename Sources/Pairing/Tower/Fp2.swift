// SPDX-License-Identifier: Apache-2.0

/// Fp2 = Fp[i] / (i^2 + 1).
package struct Fp2: Sendable, BitwiseCopyable {
    package var re: Fp
    package var im: Fp

    @inline(__always)
    package init(_ re: Fp, _ im: Fp) {
        self.re = re
        self.im = im
    }

    package static var zero: Fp2 { Fp2(.zero, .zero) }
    package static var one: Fp2 { Fp2(.one, .zero) }

    @inline(__always)
    package static func + (a: Fp2, b: Fp2) -> Fp2 { Fp2(a.re + b.re, a.im + b.im) }
    @inline(__always)
    package static func - (a: Fp2, b: Fp2) -> Fp2 { Fp2(a.re - b.re, a.im - b.im) }

    /// a + b, not reduced: both parts below 2p. Only as an operand of a product.
    @inline(__always)
    func plus(_ other: Fp2) -> Fp2 { Fp2(re.plus(other.re), im.plus(other.im)) }

    @inline(__always)
    package static prefix func - (a: Fp2) -> Fp2 { Fp2(-a.re, -a.im) }

    /// (a0 b0 - a1 b1) + (a0 b1 + a1 b0) i.
    package static func * (a: Fp2, b: Fp2) -> Fp2 {
        Fp2(Fp.dot(a.re, b.re, a.im.opposite, b.im), Fp.dot(a.re, b.im, a.im, b.re))
    }

    /// a b + c d, with one reduction for each part.
    static func dot(_ a: Fp2, _ b: Fp2, _ c: Fp2, _ d: Fp2) -> Fp2 { (Fp2Product(a, b) + Fp2Product(c, d)).reduced }

    /// (a0 + a1)(a0 - a1) + 2 a0 a1 i.
    package var squared: Fp2 { Fp2(re.plus(im) * re.minus(im), re.plus(re) * im) }

    /// a k for a number k.
    package func scaled(by k: Fp) -> Fp2 { Fp2(re * k, im * k) }

    package var doubled: Fp2 { self + self }
    package var tripled: Fp2 { self + self + self }

    /// a0 - a1 i, which is a^p.
    @inline(__always)
    package var conjugate: Fp2 { Fp2(re, -im) }

    /// xi a = (1 + i) a = (a0 - a1) + (a0 + a1) i.
    @inline(__always)
    package var timesXi: Fp2 { Fp2(re - im, re + im) }

    /// Conjugate over norm; 0 for 0.
    package var inverse: Fp2 {
        let norm = Fp.dot(re, re, im, im).inverse
        return Fp2(re * norm, -(im * norm))
    }

    @inline(__always)
    static func select(_ mask: Mask, _ a: Fp2, _ b: Fp2) -> Fp2 {
        Fp2(Fp.select(mask, a.re, b.re), Fp.select(mask, a.im, b.im))
    }

    package var isZero: Mask { re.isZero & im.isZero }
    package func equals(_ other: Fp2) -> Mask { re.equals(other.re) & im.equals(other.im) }
}

/// A sum of products of numbers of Fp2, signed and not reduced.
///
/// Bounds are given in units of p^2, for factors below p. ``Field/init(reducing:)`` takes sums from -21 to 21, because
/// 2^256 p is more than 7.1 p^2. One product is re: -1 to 1, im: 0 to 2, where an end that is not 0 is never reached.
struct Fp2Product {
    let re: WideLimbs
    let im: WideLimbs

    @inline(__always)
    private init(_ re: WideLimbs, _ im: WideLimbs) {
        self.re = re
        self.im = im
    }

    /// (a0 b0 - a1 b1) + ((a0 + a1)(b0 + b1) - a0 b0 - a1 b1) i (Karatsuba), for factors with parts below 2p.
    @inline(never)
    init(_ a: Fp2, _ b: Fp2) {
        let t0 = WideLimbs(a.re.limbs, b.re.limbs)
        let t1 = WideLimbs(a.im.limbs, b.im.limbs)
        // Both below 4p, which is less than 2^256.
        let t2 = WideLimbs(a.re.plus(a.im).limbs, b.re.plus(b.im).limbs)
        re = t0 - t1
        im = t2 - t0 - t1
    }

    /// a^2 = (a0 + a1)(a0 - a1) + 2 a0 a1 i, both from 0 to 2.
    @inline(never)
    init(squareOf a: Fp2) {
        re = WideLimbs(a.re.plus(a.im).limbs, (a.re - a.im).limbs)
        im = WideLimbs(a.re.plus(a.re).limbs, a.im.limbs)
    }

    @inline(__always)
    static func + (a: Fp2Product, b: Fp2Product) -> Fp2Product { Fp2Product(a.re + b.re, a.im + b.im) }
    @inline(__always)
    static func - (a: Fp2Product, b: Fp2Product) -> Fp2Product { Fp2Product(a.re - b.re, a.im - b.im) }

    /// xi a = (a0 - a1) + (a0 + a1) i.
    @inline(__always)
    var timesXi: Fp2Product { Fp2Product(re - im, re + im) }

    @inline(__always)
    var tripled: Fp2Product { Fp2Product(re.tripled, im.tripled) }

    /// The sum with a number, which adds from 0 to 7.2.
    @inline(__always)
    static func + (a: Fp2Product, b: Fp2) -> Fp2Product {
        Fp2Product(a.re.plusUpper(b.re.limbs), a.im.plusUpper(b.im.limbs))
    }
    @inline(__always)
    static func - (a: Fp2Product, b: Fp2) -> Fp2Product {
        Fp2Product(a.re.minusUpper(b.re.limbs), a.im.minusUpper(b.im.limbs))
    }

    @inline(__always)
    var reduced: Fp2 { Fp2(Fp(reducing: re), Fp(reducing: im)) }
}
