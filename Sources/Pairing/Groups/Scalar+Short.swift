// SPDX-License-Identifier: Apache-2.0
extension Scalar {
    /// a + b lambda modulo r, where lambda is the eigenvalue of G1's endomorphism: lambda P = (beta x, y).
    ///
    /// For public numbers. With halves of 64 bits a multiplication needs half the doublings of one with any number. No two
    /// pairs make the same number, because the shortest vector of the lattice that ``SplitScalar`` describes is longer.
    package init(shortA a: UInt64, shortB b: UInt64) {
        // lambda has 192 bits, so that b lambda + a stays below 2^256.
        let lambda: (UInt64, UInt64, UInt64) = (0x64BE_500A_6AD6_7BB6, 0xA17B_BEC9_059F_B6E2, 0x9000_0000_1950_7E29)
        let p0 = b.multipliedFullWidth(by: lambda.0)
        let p1 = b.multipliedFullWidth(by: lambda.1)
        let p2 = b.multipliedFullWidth(by: lambda.2)
        let w0 = UInt128(p0.low) &+ UInt128(a)
        let w1 = UInt128(p0.high) &+ UInt128(p1.low) &+ (w0 >> 64)
        let w2 = UInt128(p1.high) &+ UInt128(p2.low) &+ (w1 >> 64)
        let w3 = UInt128(p2.high) &+ (w2 >> 64)
        self.init(
            reducing: Limbs(
                UInt64(truncatingIfNeeded: w0), UInt64(truncatingIfNeeded: w1), UInt64(truncatingIfNeeded: w2),
                UInt64(truncatingIfNeeded: w3)))
    }
}
