// SPDX-License-Identifier: Apache-2.0
import Pairing
import Testing

@Suite
struct FieldTests {
    /// p - 2: 1/a = a^(p-2), and 0 for 0.
    private static let exponent = Numbers.hex("2400000008702a0db0bddf647a6366d3243fd6ee18093ee1be6623ef5c1b55b1")

    @Test(arguments: Numbers.edges + (0..<500).map { Numbers.bytes(seed: $0) })
    func `the inverse is Fermat's, and an inverse`(_ bytes: [UInt8]) {
        let a = Fp(reducing: bytes.span)
        #expect(a.inverse.equals(Numbers.doubleAndAdd(FieldTests.exponent, a, zero: .one, add: *)).isSet)
        if a.isZero.isSet {
            #expect(a.inverse.isZero.isSet)
        } else {
            #expect((a * a.inverse).equals(.one).isSet)
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `Towers: inverses and the Frobenius map`(_ seed: UInt64) {
        let n = (UInt64(0)..<12).map { Numbers.fp(seed * 12 + $0) }
        let a = Fp12(
            Fp6(Fp2(n[0], n[1]), Fp2(n[2], n[3]), Fp2(n[4], n[5])),
            Fp6(Fp2(n[6], n[7]), Fp2(n[8], n[9]), Fp2(n[10], n[11])))
        #expect((a * a.inverse).equals(.one).isSet)
        let x = Fp2(n[0], n[1])
        #expect((x * x.inverse).equals(.one).isSet)
        #expect((x.timesXi * Fp2.one.timesXi.inverse).equals(x).isSet)
        var power = a
        for _ in 0..<12 { power = power.frobenius }
        #expect(power.equals(a).isSet)
    }
}
