// SPDX-License-Identifier: Apache-2.0
extension G1 {
    /// The point of 65 bytes: 04, x, y, big-endian.
    ///
    /// - Returns: the point, and a mask that is set if the bytes were the encoding of a point: length and first byte
    ///   right, coordinates below p, on the curve. Otherwise the point is meaningless.
    @inline(never)
    package static func decode(_ bytes: Span<UInt8>) -> (point: G1, valid: Mask) {
        guard bytes.count == byteCount else { return (G1(.infinity), .clear) }
        let x = Fp.decode(bytes, at: 1)
        let y = Fp.decode(bytes, at: 33)
        let valid =
            Mask(zero: UInt64(bytes[0]) ^ 4) & x.valid & y.valid
            & Point<G1Curve>.isOnCurve(x: x.element, y: y.element)
        return (G1(Point(x: x.element, y: y.element, z: .one)), valid)
    }

    /// Writes the 65 bytes of the point.
    ///
    /// - Parameter bytes: room for 65 bytes.
    /// - Returns: a mask that is clear for infinity; the bytes are meaningless then.
    @inline(never)
    package func encode(into bytes: inout MutableSpan<UInt8>) -> Mask {
        guard bytes.count == G1.byteCount else { return .clear }
        let (x, y) = point.affine
        bytes[0] = 4
        x.encode(into: &bytes, at: 1)
        y.encode(into: &bytes, at: 33)
        return !isInfinity
    }
}
