// SPDX-License-Identifier: Apache-2.0

/// A registration: an M-Pin ID that was issued, and its state.
package struct RegistrationEntry: Sendable {
    package enum State: Int, Sendable {
        /// The registration waits to be verified.
        case held = 0
        /// The registration was verified, and the secret may be fetched.
        case activated = 1
        /// The secret was fetched.
        case registered = 2
    }

    let id: Int64
    /// Its number among the registrations of its user, which administrators use.
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
    /// All wrong PINs, and those before the last login.
    let (wrong, seen): (Int, Int)
    package let revoked: Int64?
    package let revoker: String?
    package let reason: String?
    /// The time of the first login.
    let confirmed: Int64?
    let userData: String?
    /// The public half of the device's key; nil if logins need no signature.
    package let deviceKey: [UInt8]?
}

/// The key against which a signature is checked.
package struct Signer: Sendable {
    /// The number of the registration in the database, and its key; nil if there is no registration with a key.
    package let registration: (id: Int64, key: [UInt8])?
    /// The latest time that is no longer accepted from any device, in milliseconds.
    package let horizon: Int64
    /// The latest time that is no longer accepted from this device. Only a signed request may depend on it, because it
    /// shows that the registration exists.
    package let floor: Int64
}

/// The latest times, in milliseconds, that are no longer accepted from all devices and from one device.
package struct LatestTimes: Sendable {
    let horizon: Int64
    let floor: Int64

    /// The latest time that the server's clock can have had at a login.
    var clock: Int64 { max(horizon, floor &+ SignatureWindow.memory) &+ 1 }

    /// How many seconds the clock needs until it is past that time.
    package func seconds(ahead now: Timestamp) -> Int64 { (clock &- now.milliseconds) / 1_000 }
}
