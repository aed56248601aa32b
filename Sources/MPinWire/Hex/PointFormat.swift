// SPDX-License-Identifier: Apache-2.0

/// The format of a point of G1: 65 bytes, `04`, then both coordinates big-endian.
package enum PointFormat {
    /// The length of a point, in bytes.
    package static let size = 65
    /// The first byte of every point; both coordinates follow.
    package static let prefix: UInt8 = 4

    /// Decodes a point from its 130 digits into a buffer of 65 bytes.
    ///
    /// - Returns: whether the text had that form; if not, the buffer contains zeros.
    package static func read(_ text: Span<UInt8>, into point: inout MutableSpan<UInt8>) -> Bool {
        guard point.count == size, Hex.decode(text, into: &point), point[0] == prefix else {
            for index in point.indices { point[index] = 0 }
            return false
        }
        return true
    }
}

/// The format of a challenge: 32 bytes big-endian, not zero and below the order of the groups.
package enum ChallengeFormat {
    /// The length of a scalar, in bytes.
    package static let size = 32

    /// `36u^4 + 36u^3 + 18u^2 + 6u + 1` for the parameter `u = -0x4000000003C012B1` of the curve BN254CX.
    package static let order: [UInt8] = [
        0x24, 0x00, 0x00, 0x00, 0x08, 0x70, 0x2A, 0x0D, 0xB0, 0xBD, 0xDF, 0x64, 0x7A, 0x63, 0x66, 0xD2,
        0xC4, 0x3F, 0xD6, 0xEE, 0x0C, 0xC9, 0x06, 0xCE, 0xBE, 0x11, 0xC0, 0xA6, 0x36, 0xEB, 0x1F, 0x6D,
    ]

    /// Whether some bytes are a scalar in `[1, r-1]`. Not for secrets: the time reveals where they differ from `r`.
    package static func isValid(_ bytes: [UInt8]) -> Bool {
        bytes.count == size && bytes.contains { $0 != 0 } && bytes.lexicographicallyPrecedes(order)
    }
}
