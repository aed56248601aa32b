// SPDX-License-Identifier: Apache-2.0
extension Limbs {
    /// Reads 32 bytes from `offset`, big-endian. The caller has checked that they exist.
    @inline(__always)
    init(bigEndian bytes: Span<UInt8>, at offset: Int) {
        self.init(
            Limbs.limb(bytes, offset + 24), Limbs.limb(bytes, offset + 16), Limbs.limb(bytes, offset + 8),
            Limbs.limb(bytes, offset))
    }

    /// Writes 32 bytes from `offset`, big-endian.
    @inline(__always)
    func write(into bytes: inout MutableSpan<UInt8>, at offset: Int) {
        Limbs.put(l3, &bytes, offset)
        Limbs.put(l2, &bytes, offset + 8)
        Limbs.put(l1, &bytes, offset + 16)
        Limbs.put(l0, &bytes, offset + 24)
    }

    @inline(__always)
    private static func limb(_ bytes: Span<UInt8>, _ offset: Int) -> UInt64 {
        var limb: UInt64 = 0
        for index in offset..<offset + 8 { limb = limb << 8 | UInt64(bytes[index]) }
        return limb
    }

    @inline(__always)
    private static func put(_ limb: UInt64, _ bytes: inout MutableSpan<UInt8>, _ offset: Int) {
        for index in 0..<8 { bytes[offset + index] = UInt8(truncatingIfNeeded: limb >> UInt64(56 - 8 * index)) }
    }
}
