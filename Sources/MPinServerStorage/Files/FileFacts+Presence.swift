// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension FileFacts {
    /// Whether a file of any kind has that name.
    package static func isThere(_ path: String) -> Bool {
        if case .success = of(path) { true } else { false }
    }

    /// Whether a file of that name exists and is not empty.
    package static func hasBytes(_ path: String) -> Bool {
        var facts = stat()
        return unsafe lstat(path, &facts) == 0 && facts.st_size > 0
    }
}
