// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage
internal import MPinWire

/// A session of a browser, or of a login at a host, that waits for a login on a device.
struct CrossDeviceSession: Sendable {
    /// The progress of the login.
    enum Progress: Sendable {
        case new
        /// A device has read the code.
        case entered
        /// A device reports that this user is about to log in. Any client that knows the code could report that.
        case user(String)
        /// A device has logged in, and its request waits until the session redeems the login.
        case approved(Approval)
        /// The login was redeemed or withdrawn.
        case over
        /// A person who had the code rejected the login.
        case denied
    }

    /// The digits that people type, or the code behind a link.
    let code: String
    /// The handle with which the waiting side polls.
    let webOTT: [UInt8]
    let requester: SessionRequester
    let expires: Instant
    var progress = Progress.new

    /// Whether it still accepts a login.
    func isOpen(at now: Instant) -> Bool {
        switch progress {
        case .new, .entered, .user: now < expires
        case .approved, .over, .denied: false
        }
    }
}
