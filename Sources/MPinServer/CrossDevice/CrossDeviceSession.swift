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
        /// A device has logged in and waits for the session to take the login up.
        case approved(Approval)
        /// Taken up, or taken back.
        case over
    }

    /// The digits to be typed, or the code behind a link.
    let code: String
    /// The handle with which the waiting side polls.
    let webOTT: [UInt8]
    let requester: SessionRequester
    let expires: Instant
    var progress = Progress.new

    /// Whether a login may still reach it.
    func isOpen(at now: Instant) -> Bool {
        switch progress {
        case .new, .entered, .user: now < expires
        case .approved, .over: false
        }
    }
}

/// A verified login for a waiting session.
struct Approval: Sendable {
    let user: String
    /// How many wrong PINs there were since its last login.
    let wrongBefore: Int?
    /// SHA-256 of the M-Pin ID that logged in.
    let hash: [UInt8]
    /// By which the waiting side takes the login up; the device never learns it.
    let handle: [UInt8]
    /// Where the device is.
    let source: RequestSource
    /// From then on the waiting side cannot take the login up.
    let deadline: Instant
    /// The device's request.
    let deferred: DeferredResponse
}
