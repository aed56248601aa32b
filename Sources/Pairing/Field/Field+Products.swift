// Montgomery products row by row (CIOS of Koc, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms",
// 1996): after each row a multiple of p is added that clears the lowest limb, which leaves.
//
// With S the sum of the first factors, the sum is below S + p after each row: before a row is divided by 2^64 it is below
// S + p + (2^64 - 1)(S + p). So S + p may not be above 2^256, which is more than 7p. A sum of products T comes out below
// T / 2^256 + p; with T < 2^256 p that is below 2p, and one subtraction is enough. First and second factors below 2p and p,
// or products whose bounds make at most 7 p^2 together, are so allowed.

extension Field {
    /// a b, for factors whose bounds make at most 7 p^2.
    @inline(never)
    package static func * (a: Field, b: Field) -> Field {
        var sum = RowSum(a.limbs, b.limbs.l0)
        sum.divide(modulo: M.limbs, M.negativeInverse)
        sum.add(a.limbs, b.limbs.l1)
        sum.divide(modulo: M.limbs, M.negativeInverse)
        sum.add(a.limbs, b.limbs.l2)
        sum.divide(modulo: M.limbs, M.negativeInverse)
        sum.add(a.limbs, b.limbs.l3)
        sum.divide(modulo: M.limbs, M.negativeInverse)
        return Field(montgomery: sum.limbs.reducedOnce(by: M.limbs))
    }

    package var squared: Field { self * self }

    /// a b + c d, for factors whose bounds make at most 7 p^2, and those of a and c 6p.
    @inline(never)
    static func dot(_ a: Field, _ b: Field, _ c: Field, _ d: Field) -> Field {
        var sum = RowSum(a.limbs, b.limbs.l0)
        sum.add(c.limbs, d.limbs.l0)
        sum.divide(modulo: M.limbs, M.negativeInverse)
        sum.add(a.limbs, b.limbs.l1)
        sum.add(c.limbs, d.limbs.l1)
        sum.divide(modulo: M.limbs, M.negativeInverse)
        sum.add(a.limbs, b.limbs.l2)
        sum.add(c.limbs, d.limbs.l2)
        sum.divide(modulo: M.limbs, M.negativeInverse)
        sum.add(a.limbs, b.limbs.l3)
        sum.add(c.limbs, d.limbs.l3)
        sum.divide(modulo: M.limbs, M.negativeInverse)
        return Field(montgomery: sum.limbs.reducedOnce(by: M.limbs))
    }

    /// a b + c d + e f.
    @inline(never)
    static func dot(_ a: Field, _ b: Field, _ c: Field, _ d: Field, _ e: Field, _ f: Field) -> Field {
        reduced(OneMore(OneMore(OneProduct(a, b), c, d), e, f))
    }

    /// a0 b0 + a1 b1 + a2 b2 + a3 b3.
    @inline(never)
    static func dot(_ a: Four, _ b: Four) -> Field {
        reduced(OneMore(OneMore(OneMore(OneProduct(a.0, b.0), a.1, b.1), a.2, b.2), a.3, b.3))
    }

    /// a0 b0 + ... + a5 b5.
    @inline(never)
    static func dot(_ a: Six, _ b: Six) -> Field {
        let four = OneMore(OneMore(OneMore(OneProduct(a.0, b.0), a.1, b.1), a.2, b.2), a.3, b.3)
        return reduced(OneMore(OneMore(four, a.4, b.4), a.5, b.5))
    }

    typealias Four = (Field, Field, Field, Field)
    typealias Six = (Field, Field, Field, Field, Field, Field)

    /// A sum of products T, divided by 2^256 modulo p.
    ///
    /// Montgomery reduction woven into the columns of the multiplication, one reduction for the whole sum (the idea of
    /// Longa, "Efficient algorithms for large prime characteristic fields and their application to bilinear pairings",
    /// 2022). With T < 2^256 p the result is below 2p, so one subtraction is enough; 2^256 is 7.1 p, so six products of
    /// reduced numbers fit, or fewer of unreduced ones.
    @inline(__always)
    private static func reduced<Sum: ProductSum>(_ sum: Sum) -> Field {
        let p = M.limbs
        let inverse = M.negativeInverse
        var column = Column()
        sum.add(to: &column, diagonal: 0)
        let m0 = column.limb &* inverse
        column.add(m0, p.l0)
        column.shift()
        sum.add(to: &column, diagonal: 1)
        column.add(m0, p.l1)
        let m1 = column.limb &* inverse
        column.add(m1, p.l0)
        column.shift()
        sum.add(to: &column, diagonal: 2)
        column.add(m0, p.l2)
        column.add(m1, p.l1)
        let m2 = column.limb &* inverse
        column.add(m2, p.l0)
        column.shift()
        sum.add(to: &column, diagonal: 3)
        column.add(m0, p.l3)
        column.add(m1, p.l2)
        column.add(m2, p.l1)
        let m3 = column.limb &* inverse
        column.add(m3, p.l0)
        column.shift()
        sum.add(to: &column, diagonal: 4)
        column.add(m1, p.l3)
        column.add(m2, p.l2)
        column.add(m3, p.l1)
        let r0 = column.take()
        sum.add(to: &column, diagonal: 5)
        column.add(m2, p.l3)
        column.add(m3, p.l2)
        let r1 = column.take()
        sum.add(to: &column, diagonal: 6)
        column.add(m3, p.l3)
        let r2 = column.take()
        return Field(montgomery: Limbs(r0, r1, r2, column.limb).reducedOnce(by: p))
    }
}
