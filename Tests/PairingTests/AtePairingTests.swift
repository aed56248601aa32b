// SPDX-License-Identifier: Apache-2.0
import Pairing
import Testing

@Suite
struct AtePairingTests {
    let q = PreparedG2(G2.generator)
    let p = Numbers.point(11)

    @Test(arguments: [(1, 1), (2, 3), (5, 7), (12345, 67890), (65537, 99991)])
    func `e(aQ, bP) = e(Q, P)^(ab)`(_ a: UInt64, _ b: UInt64) {
        let value = AtePairing.value(q, p)
        let multiple = PreparedG2(G2.generator.multiplied(by: Scalar(a)))
        #expect(
            AtePairing.value(multiple, p.multiplied(by: Scalar(b))).value.equals(
                value.value.raised(to: Numbers.bytes(of: a * b))
            ).isSet)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `e(kQ, P) = e(Q, kP) for long scalars`(_ seed: UInt64) {
        let k = Numbers.scalar(Numbers.bytes(seed: seed))
        let multiple = PreparedG2(G2.generator.multiplied(by: k))
        #expect(AtePairing.value(multiple, p) == AtePairing.value(q, p.multiplied(by: k)))
    }

    @Test
    func `not degenerate, of order r, its inverse the conjugate`() {
        let value = AtePairing.value(q, p).value
        #expect(!value.equals(.one).isSet)
        #expect((value * value.conjugate).equals(.one).isSet)
        #expect(value.raised(to: Numbers.order).equals(.one).isSet)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `a product is the product of its factors, and 1 where they cancel`(_ seed: UInt64) {
        let k = Numbers.scalar(Numbers.bytes(seed: seed))
        let multiple = PreparedG2(G2.generator.multiplied(by: k))
        let point = Numbers.point(seed)
        let product = AtePairing.product((q, p), (multiple, point))
        let factors = (AtePairing.value(q, p).value, AtePairing.value(multiple, point).value)
        #expect(product.value.equals(factors.0 * factors.1).isSet)
        let answer = -point.multiplied(by: k)
        #expect(AtePairing.product((q, answer), (multiple, point)) == .one)
        #expect(AtePairing.product((q, -answer), (multiple, point)) != .one)
        #expect(AtePairing.product((q, answer + p), (multiple, point)) != .one)
    }

    @Test
    func `a pairing with infinity is 1`() {
        let zero = p + -p
        #expect(AtePairing.value(q, zero) == .one)
        #expect(AtePairing.product((q, zero), (q, p)) == AtePairing.value(q, p))
        #expect(AtePairing.product((q, zero), (q, zero)) == .one)
    }
}
