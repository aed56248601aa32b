// SPDX-License-Identifier: Apache-2.0
import Pairing

/// An element of Fp12 as a polynomial in w over Fp2, multiplied as polynomials are: w^6 = 1 + i, i^2 = -1.
struct ReferenceTower: Equatable {
    /// The real and the imaginary part of the coefficient of each power of w.
    typealias Parts = [(re: ReferenceNumber, im: ReferenceNumber)]

    private(set) var parts: Parts

    init(_ parts: Parts) { self.parts = parts }

    /// Twelve numbers: re and im of w^0, w^1, ...
    init(_ numbers: [ReferenceNumber]) {
        parts = (0..<6).map { (numbers[2 * $0], numbers[2 * $0 + 1]) }
    }

    init(_ element: Fp12) {
        let coefficients = [
            element.c0.c0, element.c1.c0, element.c0.c1, element.c1.c1, element.c0.c2, element.c1.c2,
        ]
        parts = coefficients.map { (ReferenceNumber($0.re), ReferenceNumber($0.im)) }
    }

    var element: Fp12 {
        let c = parts.map { Fp2($0.re.element, $0.im.element) }
        return Fp12(Fp6(c[0], c[2], c[4]), Fp6(c[1], c[3], c[5]))
    }

    static func == (a: ReferenceTower, b: ReferenceTower) -> Bool {
        zip(a.parts, b.parts).allSatisfy { $0.re == $1.re && $0.im == $1.im }
    }

    static func * (a: ReferenceTower, b: ReferenceTower) -> ReferenceTower {
        let zero = (re: ReferenceNumber.zero, im: ReferenceNumber.zero)
        var product = Parts(repeating: zero, count: 11)
        for (i, x) in a.parts.enumerated() {
            for (j, y) in b.parts.enumerated() {
                product[i + j].re = product[i + j].re + x.re * y.re - x.im * y.im
                product[i + j].im = product[i + j].im + x.re * y.im + x.im * y.re
            }
        }
        for power in 6..<11 {
            let (re, im) = product[power]
            product[power - 6].re = product[power - 6].re + re - im
            product[power - 6].im = product[power - 6].im + re + im
        }
        return ReferenceTower(Array(product[..<6]))
    }

    /// What Granger and Scott's formula makes of any element: with a = x + y w + z w^2 over Fp4 = Fp2[w^3],
    /// 3 (x^2 + (y w)^2 + (z w^2)^2) - 2 x' + 2 y' w - 2 z' w^2, where ' changes the sign of w^3.
    var cyclotomicSquare: ReferenceTower {
        let squares = [0, 1, 2].map { place in
            let part = only([place, place + 3])
            return part * part
        }
        var result = parts
        for (place, coefficient) in parts.enumerated() {
            // Each coefficient is in one of the three squares alone.
            var (re, im) = (ReferenceNumber.zero, ReferenceNumber.zero)
            for square in squares {
                re = re + square.parts[place].re * ReferenceNumber(3)
                im = im + square.parts[place].im * ReferenceNumber(3)
            }
            let factor = ReferenceNumber(2)
            result[place] =
                (place >= 3) == (place % 3 == 1)
                ? (re - coefficient.re * factor, im - coefficient.im * factor)
                : (re + coefficient.re * factor, im + coefficient.im * factor)
        }
        return ReferenceTower(result)
    }

    private func only(_ places: [Int]) -> ReferenceTower {
        ReferenceTower(parts.enumerated().map { places.contains($0) ? $1 : (.zero, .zero) })
    }
}
