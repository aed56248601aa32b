// SPDX-License-Identifier: Apache-2.0
import Pairing
import Testing

@Suite
struct MultiplicationTests {
    static let scalars = Numbers.edges + (0..<200).map { Numbers.bytes(seed: $0) }

    @Test(arguments: scalars)
    func `G1: with the endomorphism and by doubling are the same`(_ bytes: [UInt8]) {
        let k = Numbers.scalar(bytes)
        let point = Numbers.point(7)
        let split = point.multiplied(by: k)
        let doubled = Numbers.doubleAndAdd(bytes, point, zero: point + -point, add: +)
        #expect(split.equals(doubled).isSet)
    }

    @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 1234, 9999, 0x07_7777, 0x07_8000, 999_999, 0x3F_FFFF])
    func `G1: a short secret number`(_ k: UInt64) {
        let point = Numbers.point(9)
        #expect(point.multiplied(byShort: Scalar(k)).equals(point.multiplied(by: Scalar(k))).isSet)
    }

    @Test(arguments: scalars)
    func `G1: a public number and a secret one are the same`(_ bytes: [UInt8]) {
        let k = Numbers.scalar(bytes)
        let point = Numbers.point(9)
        #expect(point.multiplied(byPublic: k).equals(point.multiplied(by: k)).isSet)
        #expect((point + -point).multiplied(byPublic: k).isInfinity.isSet)
    }

    @Test(arguments: [0, 1, 2, 1 << 63, UInt64.max - 1, UInt64.max], [0, 1, 17, 1 << 63, UInt64.max - 1, UInt64.max])
    func `G1: a short pair as a public number`(_ a: UInt64, _ b: UInt64) {
        let point = Numbers.point(9)
        let lambda = Scalar(shortA: 0, shortB: 1)
        let sum = point.multiplied(by: Scalar(a)) + point.multiplied(by: lambda).multiplied(by: Scalar(b))
        #expect(point.multiplied(byPublic: Scalar(shortA: a, shortB: b)).equals(sum).isSet)
    }

    @Test(arguments: Numbers.edges + (0..<20).map { Numbers.bytes(seed: $0) })
    func `G2: windows and doubling are the same`(_ bytes: [UInt8]) {
        let point = G2.generator
        let product = point.multiplied(by: Numbers.scalar(bytes))
        #expect(product.equals(Numbers.doubleAndAdd(bytes, point, zero: point + -point, add: +)).isSet)
    }

    @Test
    func `r P is infinity, (r - 1) P is -P, 0 P is infinity`() {
        let point = Numbers.point(3)
        let zero = point + -point
        #expect(zero.isInfinity.isSet)
        #expect(Numbers.doubleAndAdd(Numbers.order, point, zero: zero, add: +).isInfinity.isSet)
        #expect(point.multiplied(by: -Scalar(1)).equals(-point).isSet)
        #expect(point.multiplied(by: Scalar(0)).isInfinity.isSet)
        #expect(point.multiplied(by: Numbers.scalar(Numbers.order)).isInfinity.isSet)
        #expect(zero.multiplied(by: Scalar(5)).isInfinity.isSet)
    }

    @Test
    func `the formulas of addition are right for all pairs`() {
        let p = Numbers.point(1)
        let q = Numbers.point(2)
        let zero = p + -p
        #expect((p + zero).equals(p).isSet)
        #expect((zero + p).equals(p).isSet)
        #expect((zero + zero).isInfinity.isSet)
        #expect((p + p).equals(p.multiplied(by: Scalar(2))).isSet)
        #expect((p + q).equals(q + p).isSet)
        #expect(((p + q) + -q).equals(p).isSet)
        #expect((p + p + -p).equals(p).isSet)
        #expect(!p.equals(q).isSet)
        #expect(!p.equals(zero).isSet)
        #expect(!p.equals(-p).isSet)
    }
}
