// SPDX-License-Identifier: Apache-2.0

/// The names by which clients know a server.
package struct ServerIdentity: Sendable {
    /// The application ID of 32 hexadecimal digits.
    package let appID: String
    /// The permanent name of the server: the SHA-256 of its key, or 16 random bytes if it was made before it had one.
    package let serverID: [UInt8]
    /// The public address that was set at initialization; nil if none was set.
    package let publicURL: String?
}
