// SPDX-License-Identifier: Apache-2.0
import Pairing
import Testing

@Suite
struct EncodingTests {
    @Test(arguments: 0..<100 as Range<UInt64>)
    func `mapped points are on the curve, have an even y and come back from their bytes`(_ seed: UInt64) {
        let point = Numbers.point(seed)
        var bytes = [UInt8](repeating: 0, count: G1.byteCount)
        var span = bytes.mutableSpan
        #expect(point.encode(into: &span).isSet)
        #expect(bytes[0] == 4)
        #expect(bytes[64] & 1 == 0)
        let (back, valid) = G1.decode(bytes.span)
        #expect(valid.isSet)
        #expect(back.equals(point).isSet)
    }

    @Test
    func `every bit of an encoding matters`() {
        var bytes = [UInt8](repeating: 0, count: G1.byteCount)
        var span = bytes.mutableSpan
        #expect(Numbers.point(1).encode(into: &span).isSet)
        for bit in 0..<8 * G1.byteCount {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            let (_, valid) = G1.decode(changed.span)
            #expect(!valid.isSet, "bit \(bit)")
        }
    }

    @Test
    func `infinity has no encoding, and a buffer of another length is refused`() {
        let point = Numbers.point(1)
        var bytes = [UInt8](repeating: 0, count: G1.byteCount)
        var span = bytes.mutableSpan
        #expect(!(point + -point).encode(into: &span).isSet)
        var twist = [UInt8](repeating: 0, count: G2.byteCount)
        var twistSpan = twist.mutableSpan
        #expect(!(G2.generator + -G2.generator).encode(into: &twistSpan).isSet)
        var short = [UInt8](repeating: 0, count: G1.byteCount - 1)
        var shortSpan = short.mutableSpan
        #expect(!point.encode(into: &shortSpan).isSet)
    }

    @Test(arguments: Numbers.edges)
    func `multiples of the generator are in G2`(_ bytes: [UInt8]) {
        #expect(G2.generator.multiplied(by: Numbers.scalar(bytes)).isInSubgroup)
    }
}
