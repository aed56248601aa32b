// SPDX-License-Identifier: Apache-2.0
extension G2 {
    /// The point of 128 bytes: x.re, x.im, y.re, y.im, big-endian, without a prefix.
    ///
    /// - Returns: the point, and a mask that is set if the bytes were the encoding of a point of the twist: length
    ///   right, coordinates below p, on the twist. Use ``isInSubgroup`` to check whether it is in G2.
    package static func decode(_ bytes: Span<UInt8>) -> (point: G2, valid: Mask) {
        guard bytes.count == byteCount else { return (G2(.infinity), .clear) }
        let parts = (
            Fp.decode(bytes, at: 0), Fp.decode(bytes, at: 32), Fp.decode(bytes, at: 64), Fp.decode(bytes, at: 96)
        )
        let x = Fp2(parts.0.element, parts.1.element)
        let y = Fp2(parts.2.element, parts.3.element)
        let valid =
            parts.0.valid & parts.1.valid & parts.2.valid & parts.3.valid & Point<G2Curve>.isOnCurve(x: x, y: y)
        return (G2(Point(x: x, y: y, z: .one)), valid)
    }

    /// Writes the 128 bytes of the point.
    ///
    /// - Parameter bytes: room for 128 bytes.
    /// - Returns: a mask that is clear for infinity; the bytes are meaningless then.
    package func encode(into bytes: inout MutableSpan<UInt8>) -> Mask {
        guard bytes.count == G2.byteCount else { return .clear }
        let (x, y) = point.affine
        x.re.encode(into: &bytes, at: 0)
        x.im.encode(into: &bytes, at: 32)
        y.re.encode(into: &bytes, at: 64)
        y.im.encode(into: &bytes, at: 96)
        return !isInfinity
    }
}
