internal import MPinServerStorage
internal import MPinWire

/// A session, of a browser or at the login of a host, that waits for a login on a device.
struct CrossDeviceSession: Sendable {
    /// How far the login is.
    enum Progress: Sendable {
        case new
        /// A device has read the code.
        case entered
        /// A device says that this user is about to log in; any client that knows the code could say so.
        case user(String)
        /// A device has logged in, and its request waits until the session redeems the login.
        case approved(Approval)
        /// The login was redeemed or withdrawn.
        case over
        /// A person who had the code wants no login.
        case denied
    }

    /// The digits to be typed, or the code behind a link.
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
