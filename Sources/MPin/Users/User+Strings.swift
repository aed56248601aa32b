// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

// The stored data of a user, as applications read it.
extension User {
    /// The identity as the server knows it, byte for byte.
    ///
    /// Milagro: `getIdentity`
    public var identity: String { record.identity.string }

    /// The name of this machine in the server's lists, or an empty text.
    public var deviceName: String { record.deviceName.string }

    /// The server's address, empty until the registration has started.
    public var backend: String { record.backend.string }

    /// The number of digits of the PIN; `nil` before there is a PIN, and for secrets that are not PINs.
    public var pinLength: Int? { record.pinLength }

    /// The reason why an administrator revoked the registration, if ``lastRefusal`` is REVOKED and the server sent one;
    /// without control characters, at most 200 bytes.
    public var refusalReason: String? { refusalReasonText?.string }

    /// The M-Pin ID as the server wrote it, hexadecimal; empty until there is one.
    package var mpinID: String { record.mpinID?.string ?? "" }
}
