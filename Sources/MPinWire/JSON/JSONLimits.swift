// SPDX-License-Identifier: Apache-2.0

/// Limits of a message, which bound the work of a reader.
package enum JSONLimits {
    /// The size of a body, in bytes.
    package static let size = 65_536
    /// The levels of arrays and objects, including the outermost.
    package static let depth = 16
    /// The number of members of all objects of a body together.
    package static let members = 256
}
