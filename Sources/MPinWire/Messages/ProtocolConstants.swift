// SPDX-License-Identifier: Apache-2.0

/// The name of the protocol for peers.
package enum ProtocolVersion {
    /// The version in messages.
    package static var version: ByteText { "0.3" }
}

/// The one-time values that are sent as hexadecimal text.
package enum OneTimeToken {
    /// The allowed lengths, in bytes. Servers use 16 unless they are configured otherwise.
    package static let sizes = 1...64
    /// The length of the values that `mpin-server` makes, in bytes.
    package static let size = 16
}
