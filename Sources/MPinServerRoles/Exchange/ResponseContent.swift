// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The bytes of a response. A secret is wiped when its last reference is released.
final class ResponseContent: @unchecked Sendable {
    private(set) var bytes: [UInt8]
    private let isSecret: Bool

    init(_ bytes: [UInt8], isSecret: Bool = false) { (self.bytes, self.isSecret) = (bytes, isSecret) }

    deinit {
        guard isSecret else { return }
        unsafe bytes.withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { unsafe explicit_bzero(start, bytes.count) }
        }
    }
}
