// SPDX-License-Identifier: Apache-2.0

/// A line through two points of the twist with slope m: the parts that do not depend on the point of evaluation.
///
/// Untwisted, its value at P is yP - m xP w + (m xS - yS) w^3. The final exponentiation removes a factor of Fp, so it
/// is divided by yP: 1 - m (xP / yP) w + (m xS - yS) (1 / yP) w^3. No point of G1 has yP = 0.
struct Line: Sendable, BitwiseCopyable {
    /// m.
    let slope: Fp2
    /// m xS - yS.
    let offset: Fp2

    init(slope: Fp2, through point: (x: Fp2, y: Fp2)) {
        self.slope = slope
        offset = slope * point.x - point.y
    }
}

/// A point of G1 in the form that lines need: -xP / yP and 1 / yP.
struct Place {
    let slopeFactor: Fp
    let offsetFactor: Fp

    /// Makes the form of a point that is not infinity.
    init(_ point: G1) { self.init(point, inverse: point.point.y.inverse) }

    /// Of two points that are not infinity, with one inversion: 1 / Y1 = Y2 / (Y1 Y2) (Montgomery, "Speeding the Pollard
    /// and elliptic curve methods of factorization", 1987).
    static func pair(_ first: G1, _ second: G1) -> (Place, Place) {
        let (y1, y2) = (first.point.y, second.point.y)
        let inverse = (y1 * y2).inverse
        return (Place(first, inverse: inverse * y2), Place(second, inverse: inverse * y1))
    }

    /// - Parameter inverse: 1 / Y.
    private init(_ point: G1, inverse: Fp) {
        // (X / Z) / (Y / Z) = X / Y and 1 / (Y / Z) = Z / Y.
        slopeFactor = -(point.point.x * inverse)
        offsetFactor = point.point.z * inverse
    }
}

extension Fp12 {
    /// a (1 + l w + m w^3) with l = slope slopeFactor and m = offset offsetFactor: in addition to 1 there is (l + m v)
    /// w.
    mutating func multiply(by line: Line, at place: Place) {
        multiply(byLine: line.slope.scaled(by: place.slopeFactor), line.offset.scaled(by: place.offsetFactor))
    }

    /// a (1 + l w + m w^3).
    ///
    /// The sums of products are within -6 and 6, and the coefficients of a add as much as 7.2.
    @inline(never)
    package mutating func multiply(byLine l: Fp2, _ m: Fp2) {
        self = Fp12((Fp6Product(c1, l, m).timesV + c0).reduced, (Fp6Product(c0, l, m) + c1).reduced)
    }
}
