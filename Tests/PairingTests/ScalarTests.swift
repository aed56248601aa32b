// SPDX-License-Identifier: Apache-2.0
import Pairing
import Testing

@Suite
struct ScalarTests {
    private func isCanonical(_ bytes: [UInt8]) -> Bool { Scalar.isCanonical(bytes.span).isSet }

    @Test
    func `canonical are 1 to r - 1`() {
        #expect(!isCanonical(Numbers.hex("00")))
        #expect(isCanonical(Numbers.hex("01")))
        #expect(!isCanonical(Numbers.order))
        #expect(!isCanonical([UInt8](repeating: 0xFF, count: 32)))
        #expect(!isCanonical([1]))
        #expect(!isCanonical([]))
        var last = Numbers.order
        last[31] -= 1
        #expect(isCanonical(last))
    }

    @Test(arguments: 1...7)
    func `reduction modulo r`(_ multiple: Int) {
        // multiple * r + 5, as bytes.
        var bytes = [UInt8](repeating: 0, count: 32)
        var carry = 5
        for index in (0..<32).reversed() {
            carry += Int(Numbers.order[index]) * multiple
            bytes[index] = UInt8(truncatingIfNeeded: carry)
            carry >>= 8
        }
        #expect(carry == 0)
        var out = [UInt8](repeating: 0, count: 32)
        var span = out.mutableSpan
        Scalar(reducing: bytes.span).encode(into: &span)
        #expect(out == Numbers.hex("05"))
    }

    @Test
    func `negation and zero`() {
        #expect((-Scalar(0)).isZero.isSet)
        #expect((Scalar(9) + -Scalar(9)).isZero.isSet)
        #expect(!Scalar(1).isZero.isSet)
        #expect(Numbers.scalar(Numbers.order).isZero.isSet)
        #expect(Numbers.scalar([1, 2, 3]).isZero.isSet)
    }

    /// lambda^2 + lambda + 1 = 0, and a + b lambda for numbers at the edge.
    @Test(arguments: [0, 1, 9, UInt64.max], [0, 1, 7, UInt64.max])
    func `a pair of short numbers`(_ a: UInt64, _ b: UInt64) {
        let point = G1(mapping: [UInt8](repeating: 3, count: 32).span)
        let lambda = Scalar(shortA: 0, shortB: 1)
        let mapped = point.multiplied(by: lambda)
        #expect((mapped.multiplied(by: lambda) + mapped + point).isInfinity.isSet)
        let sum = point.multiplied(by: Scalar(a)) + mapped.multiplied(by: Scalar(b))
        let product = point.multiplied(by: Scalar(shortA: a, shortB: b))
        #expect((sum + product.multiplied(by: -Scalar(1))).isInfinity.isSet)
    }
}
