// SPDX-License-Identifier: Apache-2.0

/// An enrollment code as it is stored: neither the code nor its key can be read from it.
package struct SealedCode: Sendable {
    /// A keyed hash of its name and its user.
    package let hash: [UInt8]
    /// The key with which client and server prove that they know the code, sealed.
    package let key: [UInt8]

    package init(hash: [UInt8], key: [UInt8]) { (self.hash, self.key) = (hash, key) }
}
