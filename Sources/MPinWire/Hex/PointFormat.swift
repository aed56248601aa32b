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
