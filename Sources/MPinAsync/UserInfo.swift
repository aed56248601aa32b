// SPDX-License-Identifier: Apache-2.0
public import MPin

/// An identity at a server and the state of its registration, as they were when a call returned. ``/MPin/User``
/// describes its properties in detail.
public struct UserInfo: Sendable, Identifiable, Hashable, CustomStringConvertible {
    /// Names a user of one ``AsyncMPinClient``, until the client ends.
    public struct ID: Sendable, Hashable {
        private let number = UInt64.random(in: .min ... .max)

        /// Makes an ID that no client has, for tests and previews of an application.
        public init() {}
    }

    /// The user's name for calls of its client.
    public let id: ID
    /// The identity as the server knows it.
    public let identity: String
    /// The name of this machine in the server's lists, or an empty text.
    public let deviceName: String
    /// The server's address, empty until the registration has started.
    public let backend: String
    /// The state of the registration.
    public let state: UserState
    /// The M-Pin ID, hexadecimal; empty until there is one.
    public let mpinID: String
    /// The number of digits of the PIN, if it is known.
    public let pinLength: Int?
    /// How many wrong PINs the server still allows, as it last reported.
    public let attemptsLeft: Int?
    /// How many wrong PINs there were before the last login, as the server reported.
    public let wrongSinceLastLogin: Int?
    /// REVOKED or CLIENT_SECRET_EXPIRED if the last contact ended with that status.
    public let lastRefusal: MPinStatus?
    /// The reason why an administrator revoked the registration, if the server sent one.
    public let refusalReason: String?
    /// The fingerprint of the key of the registration's server; `nil` for a Milagro registration.
    public let serverKeyText: String?
    /// Whether the TPM of this machine has the device key.
    public let hasKeyInTPM: Bool

    /// The identity, its server and its state.
    public let description: String

    init(_ user: User, _ id: ID) {
        self.id = id
        (identity, deviceName, backend) = (user.identity, user.deviceName, user.backend)
        (state, mpinID, pinLength) = (user.state, user.mpinID, user.pinLength)
        (attemptsLeft, wrongSinceLastLogin) = (user.attemptsLeft, user.wrongSinceLastLogin)
        (lastRefusal, refusalReason) = (user.lastRefusal, user.refusalReason)
        (serverKeyText, hasKeyInTPM) = (user.serverKeyText, user.hasKeyInTPM)
        description = user.description
    }

    /// Makes a user that no client has, for tests and previews of an application.
    ///
    /// - Parameters:
    ///   - identity: the identity.
    ///   - state: its state.
    ///   - backend: the server's address.
    ///   - attemptsLeft: how many wrong PINs the server still allows.
    ///   - wrongSinceLastLogin: how many wrong PINs there were before the last login.
    public init(
        identity: String, state: UserState = .registered, backend: String = "", attemptsLeft: Int? = nil,
        wrongSinceLastLogin: Int? = nil
    ) {
        id = ID()
        (self.identity, self.state, self.backend) = (identity, state, backend)
        (self.attemptsLeft, self.wrongSinceLastLogin) = (attemptsLeft, wrongSinceLastLogin)
        (deviceName, mpinID, pinLength) = ("", "", nil)
        (lastRefusal, refusalReason, serverKeyText, hasKeyInTPM) = (nil, nil, nil, false)
        description = User.description(identity, at: backend, state)
    }
}
