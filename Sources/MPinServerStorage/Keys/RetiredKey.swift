// SPDX-License-Identifier: Apache-2.0

/// A derived key from before a rotation, sealed by the present sealing key, because the database still contains hashes
/// under it.
package struct RetiredKey: Sendable {
    package let purpose: KeyPurpose
    /// When it was retired, in seconds since 1970. Later hashes use another key.
    package let retired: Int64
    package let sealed: [UInt8]

    package init(purpose: KeyPurpose, retired: Int64, sealed: [UInt8]) {
        self.purpose = purpose
        self.retired = retired
        self.sealed = sealed
    }
}
