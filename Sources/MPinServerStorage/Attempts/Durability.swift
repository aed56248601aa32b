// SPDX-License-Identifier: Apache-2.0

/// What a write survives once it has returned.
package enum Durability: Sendable {
    /// A power failure.
    case disk
    /// The end of the process. For writes that only change how an earlier durable write is read.
    case process
}
