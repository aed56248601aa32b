// SPDX-License-Identifier: Apache-2.0

/// Why M-Pin's lines cannot be added to a file, or removed from it.
package enum StackBlockError: Error {
    /// No line of the file calls or includes a module that asks for the password.
    case noPassword
    /// A line of the file jumps over the place of the change.
    case jump(line: Int)
    /// The lines were edited by hand.
    case edited(line: Int)
    /// The file has no lines of M-Pin.
    case absent
}
