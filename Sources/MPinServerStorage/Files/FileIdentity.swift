// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Identifies a file regardless of its name.
package struct FileIdentity: Sendable, Equatable {
    private let device: UInt64
    private let number: UInt64

    /// Nil if the file does not exist.
    package init?(of path: String) {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { return nil }
        (device, number) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
    }
}
