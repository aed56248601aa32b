// SPDX-License-Identifier: Apache-2.0

/// The wrong PINs of a registration, as an answer to a right PIN reports them.
package struct AttemptHistory: Sendable, Equatable {
    /// How many there were since the last login.
    package let wrongBefore: Int
    /// How many more there may be. Nil unless the limit of the last days leaves fewer than the limit in a row, or only
    /// one.
    ///
    /// The client stores it, so that it can warn the owner before the last try.
    package let left: Int?
}
