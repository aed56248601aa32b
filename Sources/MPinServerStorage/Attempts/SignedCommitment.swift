// SPDX-License-Identifier: Apache-2.0

/// The commitment of a direct login whose signature is valid.
package struct SignedCommitment: Sendable {
    /// The key that has signed it, 65 bytes.
    let key: [UInt8]
    /// SHA-256 of U.
    let hash: [UInt8]
    /// Milliseconds since 1970-01-01 UTC, as the device has signed it.
    let time: Int64

    package init(key: [UInt8], hash: [UInt8], time: Int64) {
        self.key = key
        self.hash = hash
        self.time = time
    }
}
