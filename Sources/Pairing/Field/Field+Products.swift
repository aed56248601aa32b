extension Field {
    /// a b.
    @inline(never)
    package static func * (a: Field, b: Field) -> Field {
        reduced(OneProduct(a, b))
    }

    package var squared: Field { self * self }

    /// a b + c d.
    @inline(never)
    static func dot(_ a: Field, _ b: Field, _ c: Field, _ d: Field) -> Field {
        reduced(OneMore(OneProduct(a, b), c, d))
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
