// SPDX-License-Identifier: Apache-2.0

/// The key against which a signature is checked.
package struct Signer: Sendable {
    /// The number of the registration in the database, and its key; nil if there is no registration with a key.
    package let registration: (id: Int64, key: [UInt8])?
    /// The latest time that is no longer accepted, in milliseconds.
    package let horizon: Int64
}
