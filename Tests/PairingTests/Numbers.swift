// SPDX-License-Identifier: Apache-2.0
import Pairing

/// Numbers and points to test with.
enum Numbers {
    /// r, 32 bytes big-endian.
    static let order: [UInt8] = hex("2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6d")

    /// Scalars at which something could go wrong.
    static let edges: [[UInt8]] = [
        hex("00"), hex("01"), hex("02"), hex("07"), hex("08"), hex("09"), hex("0f"), hex("10"), hex("11"),
        hex("8888888888888888888888888888888888888888888888888888888888888888"),
        hex("7777777777777777777777777777777777777777777777777777777777777777"),
        hex("ffffffffffffffff"), hex("010000000000000000"), hex("80000000000000000000000000000000"),
        hex("ffffffffffffffffffffffffffffffff"), hex("600000000b4038130054634925303646"),
        hex("600000000b403812805463491db010e4"), hex("8000000007802561"),
        hex("9000000019507e29a17bbec9059fb6e264be500a6ad67bb6"),
        hex("9000000019507e29a17bbec9059fb6e264be500a6ad67bb7"),
        hex("2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6c"),
        hex("2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6b"), order,
        hex("2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6e"),
        [UInt8](repeating: 0xFF, count: 32),
    ]

    /// Bytes from a linear congruential generator: the same in each run.
    static func bytes(seed: UInt64) -> [UInt8] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        return (0..<32).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    static func scalar(_ bytes: [UInt8]) -> Scalar { Scalar(reducing: bytes.span) }

    static func fp(_ seed: UInt64) -> Fp {
        let bytes = bytes(seed: seed)
        return Fp(reducing: bytes.span)
    }

    static func point(_ seed: UInt64) -> G1 {
        let digest = bytes(seed: seed)
        return G1(mapping: digest.span)
    }

    /// k P by doubling and adding, or a power by squaring and multiplying, from the bytes of k.
    static func doubleAndAdd<P>(_ k: [UInt8], _ point: P, zero: P, add: (P, P) -> P) -> P {
        var sum = zero
        for byte in k {
            for bit in (0..<8).reversed() {
                sum = add(sum, sum)
                if (byte >> bit) & 1 == 1 { sum = add(sum, point) }
            }
        }
        return sum
    }

    static func bytes(of number: UInt64) -> [UInt8] {
        [UInt8](repeating: 0, count: 24) + (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    static func hex(_ text: String) -> [UInt8] {
        let digits = text.utf8.map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x61 + 10 }
        let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        return [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
    }
}

extension Fp12 {
    /// The coefficients in the order of the tower Fp4[w] / (w^3 - s) with s = w^3, which M-Pin encodes.
    var parts: [Fp2] { [c0.c0, c1.c1, c1.c0, c0.c2, c0.c1, c1.c2] }

    init(parts: [Fp2]) { self.init(Fp6(parts[0], parts[4], parts[3]), Fp6(parts[2], parts[1], parts[5])) }

    /// a^e by squaring and multiplying, from the bytes of e.
    func raised(to exponent: [UInt8]) -> Fp12 {
        Numbers.doubleAndAdd(exponent, self, zero: .one, add: *)
    }
}
