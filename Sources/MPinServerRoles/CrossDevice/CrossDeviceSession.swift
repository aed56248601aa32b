// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// A session of a browser, or of a login at a host, that waits for a login on a device.
struct CrossDeviceSession: Sendable {
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
    /// Makes the details of each session different.
    let challenge: [UInt8]
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

/// A verified login for a waiting session.
struct Approval: Sendable {
    let user: String
    let history: AttemptHistory
    /// SHA-256 of the M-Pin ID that logged in.
    let hash: [UInt8]
    /// The waiting side redeems the login with it. The device never gets it.
    let handle: [UInt8]
    let source: RequestSource
    /// After this time the login can no longer be redeemed.
    let deadline: Instant
    /// The response to the device's request, completed when the login is redeemed.
    let deferred: DeferredResponse
}

/// The name of a waiting session: digits that people type, or a code in a link that devices scan.
enum SessionCode: Sendable {
    case number
    case link

    /// A new name, chosen uniformly. The caller checks whether it is taken.
    func generate() throws(CryptoError) -> String {
        switch self {
        case .link: return HexText(bytes: try Random.bytes(OneTimeToken.size)).string
        case .number:
            while true {
                let digits = try Random.digits(6)
                if AccessNumber.isIssuable(digits), let check = AccessNumber.checkDigit(digits) {
                    return String(decoding: digits + [check], as: UTF8.self)
                }
            }
        }
    }
}
