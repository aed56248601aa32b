/// A sum of products of field elements, given column by column.
///
/// Types with one inlined method and not closures, because the compiler does not inline a large closure, and a column
/// that is passed by reference halves the speed of a pairing.
protocol ProductSum {
    /// Adds the products of limbs i and j with i + j = `diagonal`, a literal from 0 to 6, of all pairs to the column.
    func add(to column: inout Column, diagonal: Int)
}

extension Field {
    /// a0 b0.
    struct OneProduct: ProductSum {
        let a0, b0: Limbs

        @inline(__always)
        init(_ a0: Field, _ b0: Field) {
            self.a0 = a0.limbs
            self.b0 = b0.limbs
        }

        @inline(__always)
        func add(to column: inout Column, diagonal: Int) {
            column.add(a0, b0, diagonal: diagonal)
        }
    }

    /// One product more than another sum.
    struct OneMore<Rest: ProductSum>: ProductSum {
        let rest: Rest
        let a, b: Limbs

        @inline(__always)
        init(_ rest: Rest, _ a: Field, _ b: Field) {
            self.rest = rest
            self.a = a.limbs
            self.b = b.limbs
        }

        @inline(__always)
        func add(to column: inout Column, diagonal: Int) {
            rest.add(to: &column, diagonal: diagonal)
            column.add(a, b, diagonal: diagonal)
        }
    }
}
