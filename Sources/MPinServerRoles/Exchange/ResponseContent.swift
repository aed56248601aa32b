// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The bytes of a response. A secret is wiped when its last reference is released.
final class ResponseContent: @unchecked Sendable {
    private(set) var bytes: [UInt8]
    private let isSecret: Bool

    init(_ bytes: [UInt8], isSecret: Bool = false) { (self.bytes, self.isSecret) = (bytes, isSecret) }

    /// A copy with another end, which is as secret. It is allocated once, so that no part of it stays behind.
    func replacing(from count: Int, by end: [UInt8]) -> ResponseContent {
        var copy: [UInt8] = []
        copy.reserveCapacity(count + end.count)
        copy.append(contentsOf: bytes[..<count])
        copy.append(contentsOf: end)
        return ResponseContent(copy, isSecret: isSecret)
    }

    deinit {
        guard isSecret else { return }
        unsafe bytes.withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { unsafe explicit_bzero(start, bytes.count) }
        }
    }
}
