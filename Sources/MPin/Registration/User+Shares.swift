// SPDX-License-Identifier: Apache-2.0
extension User {
    /// Whether the first authority has handed out its share in this process, so that confirming again asks only the
    /// second one.
    package var holdsFirstShare: Bool { pending != nil }
}
