// SPDX-License-Identifier: Apache-2.0
import Pairing
import Testing

/// The field and the towers beside the oracle: random numbers, numbers at the edges, and among these the ones whose
/// Montgomery form is at the edge, because that is what the bounds of unreduced sums are about.
@Suite
struct ArithmeticTests {
    /// Numbers at the edges: 0, 1, 2, p - 1, p - 2, powers of 2, patterns; each as it is and as the Montgomery form.
    static let edges: [ReferenceNumber] = {
        let plain = [
            "00", "01", "02", "2400000008702a0db0bddf647a6366d3243fd6ee18093ee1be6623ef5c1b55b2",
            "2400000008702a0db0bddf647a6366d3243fd6ee18093ee1be6623ef5c1b55b1",
            "1200000004385106d85eefb23d31b369921feb770c049f70df3311f7ae0daad9", "ffffffffffffffff",
            "010000000000000000",
            "ffffffffffffffffffffffffffffffff", "0100000000000000000000000000000000",
            "ffffffffffffffffffffffffffffffffffffffffffffffff",
            "23ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
            "2400000000000000000000000000000000000000000000000000000000000000",
            "2400000008702a0d000000000000000000000000000000000000000000000000",
        ].map { ReferenceNumber(Numbers.hex($0)) }
        return plain + plain.map { $0 * .perRadix }
    }()

    /// Number `index` of a row in which every second one is random and the others are edges.
    static func number(_ index: Int, _ seed: Int) -> ReferenceNumber {
        let bytes = Numbers.bytes(seed: UInt64(seed * 65537 + index))
        guard (seed + index) % 2 == 0 else { return ReferenceNumber(bytes) }
        return edges[(Int(bytes[0]) << 8 | Int(bytes[1])) % edges.count]
    }

    static func tower(_ seed: Int) -> ReferenceTower {
        ReferenceTower((0..<12).map { number($0, seed % 4 == 3 ? 2 * seed : seed + $0 * (seed % 3)) })
    }

    @Test
    func `Fp: 70,000 products, sums, differences, squares and multiples`() {
        var wrong = 0
        for seed in 0..<10_000 {
            let (a, b) = (ArithmeticTests.number(0, seed), ArithmeticTests.number(1, seed / 2))
            let (x, y) = (a.element, b.element)
            let results = [
                (x * y, a * b), (x + y, a + b), (x - y, a - b), (x.squared, a * a), (-x, .zero - a),
                (x.doubled, a + a), (x.tripled, a + a + a),
            ]
            wrong += results.count { ReferenceNumber($0.0) != $0.1 }
        }
        for a in ArithmeticTests.edges {
            for b in ArithmeticTests.edges {
                if ReferenceNumber(a.element * b.element) != a * b { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }

    @Test
    func `Fp2: 32,000 parts of products and squares`() {
        var wrong = 0
        for seed in 0..<8_000 {
            let n = (0..<4).map { ArithmeticTests.number($0, seed + $0 * (seed % 3)) }
            let (a, b) = (Fp2(n[0].element, n[1].element), Fp2(n[2].element, n[3].element))
            let (product, square) = (a * b, a.squared)
            let results = [
                (product.re, n[0] * n[2] - n[1] * n[3]), (product.im, n[0] * n[3] + n[1] * n[2]),
                (square.re, n[0] * n[0] - n[1] * n[1]), (square.im, n[0] * n[1] + n[1] * n[0]),
            ]
            wrong += results.count { ReferenceNumber($0.0) != $0.1 }
        }
        #expect(wrong == 0)
    }

    @Test
    func `Fp12: 6,000 products, squares, cyclotomic squares and products with lines`() {
        var wrong = 0
        for seed in 0..<1_500 {
            let (a, b) = (ArithmeticTests.tower(seed), ArithmeticTests.tower(seed + 7_777))
            let x = a.element
            var line = [ReferenceNumber](repeating: .zero, count: 12)
            line[0] = ReferenceNumber(1)
            (line[2], line[3], line[6], line[7]) = (b.parts[1].re, b.parts[1].im, b.parts[3].re, b.parts[3].im)
            var withLine = x
            withLine.multiply(byLine: Fp2(line[2].element, line[3].element), Fp2(line[6].element, line[7].element))
            let results = [
                (x * b.element, a * b), (x.squared, a * a), (x.cyclotomicSquared, a.cyclotomicSquare),
                (withLine, a * ReferenceTower(line)),
            ]
            wrong += results.count { ReferenceTower($0.0) != $0.1 }
        }
        #expect(wrong == 0)
    }

    /// The greatest and smallest sums of products that there are before a reduction. A product's coefficient is linear in the
    /// factors' Montgomery forms, so it is extreme where each of these is 0 or p - 1: the choice is climbed to.
    @Test(arguments: 0..<24)
    func `Fp12: factors that make each coefficient extreme`(_ target: Int) {
        let top =
            ReferenceNumber(Numbers.hex("2400000008702a0db0bddf647a6366d3243fd6ee18093ee1be6623ef5c1b55b2")) * .perRadix
        var wrong = 0
        for seed in 0..<8 {
            for isSquare in [false, true] {
                let climb = Climb(target: target / 2, sign: target % 2 == 0 ? 1 : -1, isSquare: isSquare, seed: seed)
                let a = ReferenceTower(climb.a.map { $0 == 1 ? top : .zero })
                let b = ReferenceTower(climb.b.map { $0 == 1 ? top : .zero })
                let results =
                    isSquare
                    ? [(a.element.squared, a * a), (a.element.cyclotomicSquared, a.cyclotomicSquare)]
                    : [(a.element * b.element, a * b)]
                wrong += results.count { ReferenceTower($0.0) != $0.1 }
            }
        }
        #expect(wrong == 0)
    }

    /// The sums of a cyclotomic square are extreme where sums and differences modulo p wrap around.
    @Test
    func `Fp12: cyclotomic squares of numbers where sums wrap around`() {
        // Montgomery forms from 0 to 15 and from p - 16 to p - 1.
        let ends = (0..<16).flatMap { end in
            [ReferenceNumber(end), .zero - ReferenceNumber(end + 1)].map { $0 * .perRadix }
        }
        var wrong = 0
        for seed in 0..<2_000 {
            let bytes = Numbers.bytes(seed: UInt64(seed))
            let a = ReferenceTower((0..<12).map { ends[Int(bytes[$0]) % 32] })
            if ReferenceTower(a.element.cyclotomicSquared) != a.cyclotomicSquare { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    /// Sums at both ends of what one reduction takes, and around the multiples of 2^256 p, where the quotient changes.
    @Test(arguments: -3...3)
    func `sums of products at the bounds of a reduction`(_ multiple: Int) {
        let p = Limbs(0xBE66_23EF_5C1B_55B3, 0x243F_D6EE_1809_3EE1, 0xB0BD_DF64_7A63_66D3, 0x2400_0000_0870_2A0D)
        var upper = Limbs(0, 0, 0, 0)
        for _ in 0..<abs(multiple) { upper = multiple > 0 ? upper.adding(p).sum : upper.subtracting(p).difference }
        for offset in -40...40 where (multiple > -3 || offset >= 0) && (multiple < 3 || offset < 0) {
            let step = Limbs(UInt64(abs(offset)), 0, 0, 0)
            let high = offset < 0 ? upper.subtracting(step).difference : upper.adding(step).sum
            for low in [Limbs(0, 0, 0, 0), Limbs(1, 0, 0, 0), Limbs(~0, ~0, ~0, ~0), p, Limbs(~0, 0, ~0, 0)] {
                // Upper half modulo p: it is the offset alone.
                let lower = [low.l0, low.l1, low.l2, low.l3].flatMap { [$0 & 0xFFFF_FFFF, $0 >> 32] }
                var expected = ReferenceNumber(reducing: lower) * .perRadix
                for _ in 0..<abs(offset) {
                    expected = offset > 0 ? expected + ReferenceNumber(1) : expected - ReferenceNumber(1)
                }
                // What comes out is a Montgomery form, which is 2^256 times the number.
                let reduced = Fp(reducing: WideLimbs(low: low, high: high))
                #expect(ReferenceNumber(reduced) == expected * .perRadix, "\(multiple) p + \(offset)")
            }
        }
    }
}

/// Twelve numbers from 0 and 1 each for two factors, such that a coefficient of the product over the integers is extreme.
private struct Climb {
    private(set) var a: [Int]
    private(set) var b: [Int]

    init(target: Int, sign: Int, isSquare: Bool, seed: Int) {
        let bytes = Numbers.bytes(seed: UInt64(seed))
        a = (0..<12).map { Int(bytes[$0]) & 1 }
        b = isSquare ? a : (0..<12).map { Int(bytes[$0 + 12]) & 1 }
        for _ in 0..<4 {
            for index in 0..<12 {
                for isFirst in isSquare ? [true] : [true, false] {
                    var values: [Int] = []
                    for value in [0, 1] {
                        set(index, value, isFirst: isFirst, isSquare: isSquare)
                        values.append(sign * Climb.product(a, b)[target])
                    }
                    set(index, values[1] > values[0] ? 1 : 0, isFirst: isFirst, isSquare: isSquare)
                }
            }
        }
    }

    private mutating func set(_ index: Int, _ value: Int, isFirst: Bool, isSquare: Bool) {
        if isFirst || isSquare { a[index] = value }
        if !isFirst || isSquare { b[index] = value }
    }

    /// As polynomials in w with w^6 = 1 + i.
    private static func product(_ a: [Int], _ b: [Int]) -> [Int] {
        var product = [Int](repeating: 0, count: 22)
        for i in 0..<6 {
            for j in 0..<6 {
                product[2 * (i + j)] += a[2 * i] * b[2 * j] - a[2 * i + 1] * b[2 * j + 1]
                product[2 * (i + j) + 1] += a[2 * i] * b[2 * j + 1] + a[2 * i + 1] * b[2 * j]
            }
        }
        for power in 6..<11 {
            let (re, im) = (product[2 * power], product[2 * power + 1])
            product[2 * power - 12] += re - im
            product[2 * power - 11] += re + im
        }
        return Array(product[..<12])
    }
}
