// SPDX-License-Identifier: Apache-2.0
extension Field {
    /// A small number.
    package init(_ number: UInt64) {
        self.init(Limbs(number, 0, 0, 0))
    }

    /// The element of a number below p.
    init(_ canonical: Limbs) {
        let square = M.montgomerySquare
        self = Field(montgomery: canonical) * Field(montgomery: Limbs(square.0, square.1, square.2, square.3))
    }

    /// The number from 0 to p - 1 that this element represents.
    var canonical: Limbs {
        (self * Field(montgomery: Limbs(1, 0, 0, 0))).limbs
    }

    /// The lowest bit of the canonical number.
    package var isOdd: Mask { Mask(bit: canonical.l0 & 1) }

    /// The element of 32 bytes, big-endian, from `offset` on; `valid` is set if the number is below p.
    ///
    /// The caller has checked that the bytes are there.
    package static func decode(_ bytes: Span<UInt8>, at offset: Int) -> (element: Field, valid: Mask) {
        let number = Limbs(bigEndian: bytes, at: offset)
        let (_, borrow) = number.subtracting(M.limbs)
        return (Field(reducing: number), Mask(bit: borrow))
    }

    /// Any number of 256 bits modulo p, which is more than 2^253.
    init(reducing number: Limbs) {
        let p = M.limbs
        let p2 = p.adding(p).sum
        let p4 = p2.adding(p2).sum
        self.init(number.reducedOnce(by: p4).reducedOnce(by: p2).reducedOnce(by: p))
    }

    /// Any 32 bytes, big-endian, modulo p.
    package init(reducing bytes: Span<UInt8>, at offset: Int = 0) {
        self.init(reducing: Limbs(bigEndian: bytes, at: offset))
    }

    /// Writes 32 bytes, big-endian, from `offset` on.
    package func encode(into bytes: inout MutableSpan<UInt8>, at offset: Int) {
        canonical.write(into: &bytes, at: offset)
    }
}
