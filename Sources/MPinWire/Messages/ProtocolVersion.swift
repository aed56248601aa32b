// SPDX-License-Identifier: Apache-2.0

/// The name of the protocol for peers.
package enum ProtocolVersion {
    /// The version in messages.
    package static var version: ByteText { "0.3" }
}
