extension Field {
    /// a^e for a public exponent, four bits at a time from the top.
    ///
    /// The time depends on the exponent alone.
    func raised(to exponent: Limbs) -> Field {
        var powers = InlineArray<16, Field>(repeating: .one)
        for index in 1..<16 { powers[index] = powers[index - 1] * self }
        var rest = exponent
        var result = Field.one
        for _ in 0..<64 {
            result = result.squared.squared.squared.squared * powers[Int(rest.takeTopFourBits())]
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
