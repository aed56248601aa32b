extension Field {
    /// a b.
    @inline(never)
    package static func * (a: Field, b: Field) -> Field {
        reduced { column, diagonal in column.add(a.limbs, b.limbs, diagonal: diagonal) }
    }

    package var squared: Field { self * self }

    /// a b + c d.
    @inline(never)
    static func dot(_ a: Field, _ b: Field, _ c: Field, _ d: Field) -> Field {
        reduced { column, diagonal in
            column.add(a.limbs, b.limbs, diagonal: diagonal)
            column.add(c.limbs, d.limbs, diagonal: diagonal)
        }
    }

    /// a b + c d + e f.
    @inline(never)
    static func dot(_ a: Field, _ b: Field, _ c: Field, _ d: Field, _ e: Field, _ f: Field) -> Field {
        reduced { column, diagonal in
            column.add(a.limbs, b.limbs, diagonal: diagonal)
            column.add(c.limbs, d.limbs, diagonal: diagonal)
            column.add(e.limbs, f.limbs, diagonal: diagonal)
        }
    }

    /// a0 b0 + a1 b1 + a2 b2 + a3 b3.
    @inline(never)
    static func dot(_ a: Four, _ b: Four) -> Field {
        reduced { column, diagonal in
            column.add(a.0.limbs, b.0.limbs, diagonal: diagonal)
            column.add(a.1.limbs, b.1.limbs, diagonal: diagonal)
            column.add(a.2.limbs, b.2.limbs, diagonal: diagonal)
            column.add(a.3.limbs, b.3.limbs, diagonal: diagonal)
        }
    }

    /// a0 b0 + ... + a5 b5.
    @inline(never)
    static func dot(_ a: Six, _ b: Six) -> Field {
        reduced { column, diagonal in
            column.add(a.0.limbs, b.0.limbs, diagonal: diagonal)
            column.add(a.1.limbs, b.1.limbs, diagonal: diagonal)
            column.add(a.2.limbs, b.2.limbs, diagonal: diagonal)
            column.add(a.3.limbs, b.3.limbs, diagonal: diagonal)
            column.add(a.4.limbs, b.4.limbs, diagonal: diagonal)
            column.add(a.5.limbs, b.5.limbs, diagonal: diagonal)
        }
    }

    typealias Four = (Field, Field, Field, Field)
    typealias Six = (Field, Field, Field, Field, Field, Field)

    /// A sum of products T, divided by 2^256 modulo p.
    ///
    /// Montgomery reduction woven into the columns of the multiplication, one reduction for the whole sum (the idea of
    /// Longa, "Efficient algorithms for large prime characteristic fields and their application to bilinear pairings",
    /// 2022). With T < 2^256 p the result is below 2p, so one subtraction is enough; 2^256 is 7.1 p, so six products of
    /// reduced numbers fit, or fewer of unreduced ones.
    /// - Parameter addProducts: adds the products of a diagonal, 0 to 6, to a column.
    @inline(__always)
    private static func reduced(_ addProducts: (inout Column, Int) -> Void) -> Field {
        let p = M.limbs
        let inverse = M.negativeInverse
        var column = Column()
        addProducts(&column, 0)
        let m0 = column.limb &* inverse
        column.add(m0, p.l0)
        column.shift()
        addProducts(&column, 1)
        column.add(m0, p.l1)
        let m1 = column.limb &* inverse
        column.add(m1, p.l0)
        column.shift()
        addProducts(&column, 2)
        column.add(m0, p.l2)
        column.add(m1, p.l1)
        let m2 = column.limb &* inverse
        column.add(m2, p.l0)
        column.shift()
        addProducts(&column, 3)
        column.add(m0, p.l3)
        column.add(m1, p.l2)
        column.add(m2, p.l1)
        let m3 = column.limb &* inverse
        column.add(m3, p.l0)
        column.shift()
        addProducts(&column, 4)
        column.add(m1, p.l3)
        column.add(m2, p.l2)
        column.add(m3, p.l1)
        let r0 = column.take()
        addProducts(&column, 5)
        column.add(m2, p.l3)
        column.add(m3, p.l2)
        let r1 = column.take()
        addProducts(&column, 6)
        column.add(m3, p.l3)
        let r2 = column.take()
        return Field(montgomery: Limbs(r0, r1, r2, column.limb).reducedOnce(by: p))
    }
}
