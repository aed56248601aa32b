internal import MPinWire

// What is stored of a user, as applications see it.
extension User {
    /// The identity as the server knows it, byte for byte as given.
    ///
    /// Milagro: `getIdentity`
    public var identity: String { record.identity.string }

    /// The name under which the server lists this machine, or an empty text.
    public var deviceName: String { record.deviceName.string }

    /// The server's address, empty until the registration has started.
    public var backend: String { record.backend.string }

    /// The number of digits of the PIN, or `nil` before there is one and for secrets that are no PIN.
    public var pinLength: Int? { record.pinLength }

    /// Why an administrator revoked the registration, where ``lastRefusal`` is REVOKED and the server says so; without
    /// control characters, 200 bytes at most.
    public var refusalReason: String? { refusalReasonText?.string }

    /// The M-Pin ID as the server wrote it, hexadecimal; empty before there is one.
    package var mpinID: String { record.mpinID?.string ?? "" }
}
