// SPDX-License-Identifier: Apache-2.0

/// The second share of a permit as a store publishes it: plain digits, not JSON.
package enum PermitStoreBody {
    /// The body of a store's answer.
    ///
    /// - Parameter share: 65 bytes.
    package static func encode(share: Span<UInt8>) -> [UInt8] { Hex.encode(share) }

    /// Reads a store's answer; white space around the digits is ignored.
    ///
    /// - Parameter share: receives the share, 65 bytes; zeros after an error.
    package static func decode(_ body: Span<UInt8>, share: inout MutableSpan<UInt8>) throws(WireError) {
        for index in share.indices { share[index] = 0 }
        guard body.count <= JSONLimits.size else { throw .tooLarge }
        var range = 0..<body.count
        while let last = range.last, isSpace(body[last]) { range.removeLast() }
        while let first = range.first, isSpace(body[first]) { range.removeFirst() }
        guard PointFormat.read(body.extracting(range), into: &share) else { throw .malformed }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}
