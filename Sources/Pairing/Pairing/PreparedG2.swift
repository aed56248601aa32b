/// A point of G2 with all lines of its Miller loop, for pairings with many points of G1.
package struct PreparedG2: Sendable {
    let lines: [Line]

    /// - Parameter point: in G2 and not infinity. Takes a time that depends on the point.
    package init(_ point: G2) {
        let base = point.point.affine
        let negated = (x: base.x, y: -base.y)
        var walk = Walk(position: base)
        for digit in AteLoop.digits {
            walk.double()
            if digit != 0 { walk.add(digit > 0 ? base : negated) }
        }
        // u is negative: the loop was run for -(6u + 2).
        walk.position.y = -walk.position.y
        let image = point.point.psi
        walk.add(image.affine)
        walk.add((-image.psi).affine)
        lines = walk.lines
    }

    /// A point on its way through the loop, and the lines it has drawn.
    private struct Walk {
        var position: (x: Fp2, y: Fp2)
        var lines: [Line] = []

        init(position: (x: Fp2, y: Fp2)) {
            self.position = position
        }

        /// The tangent: m = 3 x^2 / (2 y).
        mutating func double() {
            go(slope: position.x.squared.tripled * position.y.doubled.inverse, other: position)
        }

        /// The chord: m = (yT - yS) / (xT - xS).
        mutating func add(_ other: (x: Fp2, y: Fp2)) {
            go(slope: (other.y - position.y) * (other.x - position.x).inverse, other: other)
        }

        /// x = m^2 - xS - xT, y = m (xS - x) - yS.
        private mutating func go(slope: Fp2, other: (x: Fp2, y: Fp2)) {
            lines.append(Line(slope: slope, through: position))
            let x = slope.squared - position.x - other.x
            position = (x, slope * (position.x - x) - position.y)
        }
    }
}
