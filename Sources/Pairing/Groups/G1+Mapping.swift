// SPDX-License-Identifier: Apache-2.0
extension G1 {
    /// The point of a digest of 32 bytes: the first x from the digest modulo p on for which x^3 + 2 is a square other
    /// than 0, with the even one of the two roots. Infinity for another length, which the caller has to check.
    ///
    /// The time depends on the digest, which is public.
    @inline(never)
    package init(mapping digest: Span<UInt8>) {
        guard digest.count == 32 else {
            self.init(.infinity)
            return
        }
        var x = Fp(reducing: digest)
        while true {
            let square = x.squared * x + G1Curve.constant
            let root = square.squareRootOfSquare
            if (root.squared.equals(square) & !square.isZero).isSet {
                let y = Fp.select(root.isOdd, -root, root)
                self.init(Point(x: x, y: y, z: .one))
                return
            }
            x = x + .one
        }
    }
}
