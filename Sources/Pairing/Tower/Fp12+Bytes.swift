// SPDX-License-Identifier: Apache-2.0
extension Fp12 {
    /// The length of an encoding, in bytes.
    package static let byteCount = 384

    /// Writes the coefficients of w^0, w^3, w^1, w^4, w^2, w^5, each as real and imaginary part.
    ///
    /// That is the order of the tower Fp4[w] / (w^3 - s) with s = w^3, which M-Pin encodes.
    package func encode(into bytes: inout MutableSpan<UInt8>) {
        Fp12.put(c0.c0, &bytes, 0)
        Fp12.put(c1.c1, &bytes, 64)
        Fp12.put(c1.c0, &bytes, 128)
        Fp12.put(c0.c2, &bytes, 192)
        Fp12.put(c0.c1, &bytes, 256)
        Fp12.put(c1.c2, &bytes, 320)
    }

    /// The element of 384 bytes; nil for another length or a coordinate that is not below p.
    package init?(encoded bytes: Span<UInt8>) {
        guard bytes.count == Fp12.byteCount else { return nil }
        var valid = Mask.set
        c0 = .zero
        c1 = .zero
        c0.c0 = Fp12.get(bytes, 0, &valid)
        c1.c1 = Fp12.get(bytes, 64, &valid)
        c1.c0 = Fp12.get(bytes, 128, &valid)
        c0.c2 = Fp12.get(bytes, 192, &valid)
        c0.c1 = Fp12.get(bytes, 256, &valid)
        c1.c2 = Fp12.get(bytes, 320, &valid)
        guard valid.isSet else { return nil }
    }

    private static func put(_ element: Fp2, _ bytes: inout MutableSpan<UInt8>, _ offset: Int) {
        element.re.encode(into: &bytes, at: offset)
        element.im.encode(into: &bytes, at: offset + 32)
    }

    private static func get(_ bytes: Span<UInt8>, _ offset: Int, _ valid: inout Mask) -> Fp2 {
        let re = Fp.decode(bytes, at: offset)
        let im = Fp.decode(bytes, at: offset + 32)
        valid = valid & re.valid & im.valid
        return Fp2(re.element, im.element)
    }
}
