// SPDX-License-Identifier: Apache-2.0

/// A number modulo r, the order of G1 and G2: r = 36u^4 + 36u^3 + 18u^2 + 6u + 1.
///
/// Every operation takes the same time for all values.
package struct Scalar: Sendable {
    /// Below r.
    let limbs: Limbs

    package static let byteCount = 32

    @inline(__always)
    static var order: Limbs {
        Limbs(0xBE11_C0A6_36EB_1F6D, 0xC43F_D6EE_0CC9_06CE, 0xB0BD_DF64_7A63_66D2, 0x2400_0000_0870_2A0D)
    }

    @inline(__always)
    private init(limbs: Limbs) {
        self.limbs = limbs
    }

    /// A number that fits 64 bits.
    package init(_ number: UInt64) { limbs = Limbs(number, 0, 0, 0) }

    /// 32 bytes, big-endian, modulo r; 0 for another length, which the caller has to check.
    @inline(never)
    package init(reducing bytes: Span<UInt8>) {
        guard bytes.count == Scalar.byteCount else {
            self.init(0)
            return
        }
        self.init(reducing: Limbs(bigEndian: bytes, at: 0))
    }

    /// Any number of 256 bits, modulo r.
    @inline(__always)
    init(reducing number: Limbs) {
        let r = Scalar.order
        let r2 = r.adding(r).sum
        let r4 = r2.adding(r2).sum
        // 2^256 is less than 8 r.
        self.init(limbs: number.reducedOnce(by: r4).reducedOnce(by: r2).reducedOnce(by: r))
    }

    /// Set if the bytes are a number from 1 to r - 1 in 32 bytes, big-endian.
    @inline(never)
    package static func isCanonical(_ bytes: Span<UInt8>) -> Mask {
        guard bytes.count == byteCount else { return .clear }
        let number = Limbs(bigEndian: bytes, at: 0)
        let (_, borrow) = number.subtracting(order)
        return Mask(bit: borrow) & !number.isZero
    }

    /// Writes 32 bytes, big-endian.
    package func encode(into bytes: inout MutableSpan<UInt8>) { limbs.write(into: &bytes, at: 0) }

    package var isZero: Mask { limbs.isZero }

    package static func + (a: Scalar, b: Scalar) -> Scalar {
        Scalar(limbs: a.limbs.adding(b.limbs).sum.reducedOnce(by: order))
    }

    package static prefix func - (a: Scalar) -> Scalar {
        Scalar(limbs: order.subtracting(a.limbs).difference.reducedOnce(by: order))
    }
}

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
