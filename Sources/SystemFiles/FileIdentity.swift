// SPDX-License-Identifier: Apache-2.0

/// Identifies a file regardless of its name.
package struct FileIdentity: Sendable, Equatable {
    package let device: UInt64
    package let number: UInt64

    init(device: UInt64, number: UInt64) { (self.device, self.number) = (device, number) }

    /// Follows a symbolic link. Nil if the file does not exist.
    package init?(of path: String) {
        guard let facts = FileFacts(target: path) else { return nil }
        self = facts.identity
    }
}
