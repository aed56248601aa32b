/// A row of the table `registration`: an M-Pin ID that was issued, and its state.
package struct RegistrationRecord: Sendable {
    /// The steps of a registration.
    package enum State: Int, Sendable {
        /// Waits for a code.
        case held = 0
        /// A code came; the secret may be fetched.
        case activated = 1
        /// The secret was fetched.
        case registered = 2
    }

    package let id: Int64
    /// What administrators call it, among those of its user.
    package let number: Int
    package let user: String
    package let device: String
    package let state: State
    /// SHA-256 of the client's one-time token.
    package let ott: [UInt8]?
    package let created: Int64
    package let expires: Int64
    package let delivered: Int64?
    package let failures: Int
    /// All wrong PINs there ever were, and those of them before the last login.
    package let (wrong, seen): (Int, Int)
    package let revoked: Int64?
    package let revoker: String?
    package let reason: String?
    /// When it first logged in.
    package let confirmed: Int64?
    /// What came with the registration for the application, as JSON.
    package let userData: String?
    /// The public half of the device's key; nil where logins need no signature.
    package let deviceKey: [UInt8]?
}
