// SPDX-License-Identifier: Apache-2.0

/// An element of the group of pairing values, written as a product.
package struct GT: Sendable, Equatable {
    let value: Fp12

    init(_ value: Fp12) { self.value = value }

    package static var one: GT { GT(.one) }

    /// Decodes the element of 384 bytes; nil for another length, a coordinate that is not below p, or bytes that are
    /// not a pairing value.
    package init?(encoded bytes: Span<UInt8>) {
        guard let value = Fp12(encoded: bytes) else { return nil }
        self.value = value
        guard isPairingValue else { return nil }
    }

    /// Whether a^r = 1: r is p + 1 - t with t - 1 = 6 u^2, so that is a^p = a^(6 u^2) for an a that is not 0.
    ///
    /// Outside GT the conjugate is not the inverse, and results computed with it are meaningless.
    private var isPairingValue: Bool {
        let u: UInt64 = 0x4000_0000_03C0_12B1
        let image = GT(value.frobenius)
        return self != GT(value - value) && image == raised(to: u).raised(to: u).raised(to: 6)
    }

    /// The 384 bytes of the element.
    package var encoded: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Fp12.byteCount)
        var span = bytes.mutableSpan
        value.encode(into: &span)
        return bytes
    }

    /// 64 bits that differ for nearly all elements, as a key for lookups.
    package var key: UInt64 { value.c0.c1.re.limbs.l0 }

    /// The inverse of a pairing value.
    package var conjugate: GT { GT(value.conjugate) }

    package static func * (a: GT, b: GT) -> GT { GT(a.value * b.value) }

    package static func == (a: GT, b: GT) -> Bool { a.value.equals(b.value).isSet }

    /// a^e for a public number.
    package func raised(to exponent: UInt64) -> GT {
        var result = Fp12.one
        var rest = exponent
        var power = value
        while rest != 0 {
            if rest & 1 == 1 { result = result * power }
            power = power.squared
            rest >>= 1
        }
        return GT(result)
    }
}
