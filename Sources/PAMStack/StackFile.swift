// SPDX-License-Identifier: Apache-2.0

/// The result of reading a PAM file.
package enum StackFile: Sendable {
    case absent
    /// The file exists, but could not be read. A forecast for a service with it would be a guess.
    case unreadable
    case content([UInt8])
}
