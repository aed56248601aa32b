internal import Foundation
internal import GRDB

/// A row of the table `registration`: an M-Pin ID that was issued, and its state.
struct RegistrationRecord: Sendable {
    /// The steps of a registration.
    enum State: Int, Sendable {
        /// Waits for a code.
        case held = 0
        /// A code came; the secret may be fetched.
        case activated = 1
        /// The secret was fetched.
        case registered = 2
    }

    let id: Int64
    /// What administrators call it, among those of its user.
    let number: Int
    let user: String
    let device: String
    let state: State
    /// SHA-256 of the client's one-time token.
    let ott: [UInt8]?
    let created: Int64
    let expires: Int64
    let delivered: Int64?
    let failures: Int
    /// All wrong PINs there ever were, and those of them before the last login.
    let (wrong, seen): (Int, Int)
    let revoked: Int64?
    let revoker: String?
    let reason: String?
    /// When it first logged in.
    let confirmed: Int64?
    /// What came with the registration for the application, as JSON.
    let userData: String?
    /// The public half of the device's key; nil where logins need no signature.
    let deviceKey: [UInt8]?

    static let columns = """
        id, number, user, device, state, ott, created, expires, delivered, failures, wrong, seen, revoked,
        revoker, reason, confirmed, userData, deviceKey
        """

    init(_ row: Row) throws {
        guard let state = State(rawValue: row["state"]) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "unknown state of a registration")
        }
        self.state = state
        id = row["id"]
        number = row["number"]
        user = row["user"]
        device = row["device"]
        ott = (row["ott"] as Data?).map { Array($0) }
        created = row["created"]
        expires = row["expires"]
        delivered = row["delivered"]
        failures = row["failures"]
        (wrong, seen) = (row["wrong"], row["seen"])
        revoked = row["revoked"]
        revoker = row["revoker"]
        reason = row["reason"]
        confirmed = row["confirmed"]
        userData = row["userData"]
        deviceKey = (row["deviceKey"] as Data?).map { Array($0) }
    }
}
