// SPDX-License-Identifier: Apache-2.0
import Pairing
import Testing

@Suite
struct FieldTests {
    /// 1/a as a^(p-2); 0 for 0.
    private static func inverseByPower(_ a: Fp) -> Fp {
        let exponent = Numbers.hex("2400000008702a0db0bddf647a6366d3243fd6ee18093ee1be6623ef5c1b55b1")
        var power = Fp.one
        for byte in exponent {
            for bit in (0..<8).reversed() {
                power = power.squared
                if (byte >> bit) & 1 == 1 { power = power * a }
            }
        }
        return power
    }

    @Test(arguments: Numbers.edges + (0..<500).map { Numbers.bytes(seed: $0) })
    func `the inverse is Fermat's, and an inverse`(_ bytes: [UInt8]) {
        let a = Fp(reducing: bytes.span)
        #expect(a.inverse.equals(FieldTests.inverseByPower(a)).isSet)
        if a.isZero.isSet {
            #expect(a.inverse.isZero.isSet)
        } else {
            #expect((a * a.inverse).equals(.one).isSet)
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `ring laws`(_ seed: UInt64) {
        let (a, b, c) = (Numbers.fp(seed * 3), Numbers.fp(seed * 3 + 1), Numbers.fp(seed * 3 + 2))
        #expect((a * (b + c)).equals(a * b + a * c).isSet)
        #expect(((a - b) + b).equals(a).isSet)
        #expect((a + -a).isZero.isSet)
        #expect((a.halved + a.halved).equals(a).isSet)
        #expect(a.tripled.equals(a + a.doubled).isSet)
        #expect(((a * b) * c).equals(a * (b * c)).isSet)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `Towers: inverses and squares`(_ seed: UInt64) {
        let n = (UInt64(0)..<12).map { Numbers.fp(seed * 12 + $0) }
        let a = Fp12(
            Fp6(Fp2(n[0], n[1]), Fp2(n[2], n[3]), Fp2(n[4], n[5])),
            Fp6(Fp2(n[6], n[7]), Fp2(n[8], n[9]), Fp2(n[10], n[11])))
        #expect((a * a.inverse).equals(.one).isSet)
        #expect(a.squared.equals(a * a).isSet)
        let x = Fp2(n[0], n[1])
        #expect(x.squared.equals(x * x).isSet)
        #expect((x * x.inverse).equals(.one).isSet)
        #expect((x.timesXi * Fp2.one.timesXi.inverse).equals(x).isSet)
        var power = a
        for _ in 0..<12 { power = power.frobenius }
        #expect(power.equals(a).isSet)
    }
}
