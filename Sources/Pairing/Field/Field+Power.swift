extension Field {
    /// a^e for a public exponent, four bits at a time from the top.
    ///
    /// The time depends on the exponent alone.
    func raised(to exponent: Limbs) -> Field {
        let a2 = squared
        let a3 = a2 * self
        let a4 = a2.squared
        let a5 = a4 * self
        let a6 = a3.squared
        let a7 = a6 * self
        let a8 = a4.squared
        let a9 = a8 * self
        let a10 = a5.squared
        let a11 = a10 * self
        let a12 = a6.squared
        let a13 = a12 * self
        let a14 = a7.squared
        let a15 = a14 * self
        var rest = exponent
        var result = Field.one
        for _ in 0..<64 {
            result = result.squared.squared.squared.squared
            switch rest.takeTopFourBits() {
            case 0: break
            case 1: result = result * self
            case 2: result = result * a2
            case 3: result = result * a3
            case 4: result = result * a4
            case 5: result = result * a5
            case 6: result = result * a6
            case 7: result = result * a7
            case 8: result = result * a8
            case 9: result = result * a9
            case 10: result = result * a10
            case 11: result = result * a11
            case 12: result = result * a12
            case 13: result = result * a13
            case 14: result = result * a14
            default: result = result * a15
            }
        }
        return result
    }

    /// a^e for 32 public bytes, big-endian.
    package func raised(to exponent: Span<UInt8>) -> Field {
        raised(to: Limbs(bigEndian: exponent, at: 0))
    }

    /// a^((p+1)/4): a square root of a square, as p is 3 modulo 4.
    var squareRootOfSquare: Field {
        let (sum, _) = M.limbs.adding(Limbs(1, 0, 0, 0))
        return raised(
            to: Limbs(
                sum.l0 >> 2 | sum.l1 << 62, sum.l1 >> 2 | sum.l2 << 62, sum.l2 >> 2 | sum.l3 << 62, sum.l3 >> 2))
    }
}
