/// A user as the administrator sees it.
package struct UserRecord: Sendable {
    /// One registration of the user: one device or account.
    package struct Device: Sendable {
        /// Its number among the registrations of this user; no other one gets it as long as the user has any.
        package let number: Int
        package let name: String
        package let state: AccountState
        package let created: Timestamp
        package let registered: Timestamp?
        package let failures: Int
        /// Wrong PINs since its last login, also those before a block was lifted.
        package let wrongSinceLastLogin: Int
        /// Wrong PINs of the last days, whatever right ones were among them.
        package let recentWrong: Int
        /// How many more wrong PINs there may be, by whichever limit.
        package let attemptsLeft: Int
        /// Whether it has ever logged in.
        package let isProven: Bool
        package let revoked: Timestamp?
        package let reason: String?
        /// Who revoked it, as the database has it.
        package let revoker: String?
        /// What came with the registration for the application, as JSON.
        package let userData: String?
        /// Whether its logins are signed by the device.
        package let hasDeviceKey: Bool

        /// Whether its owner has revoked it.
        package var isRevokedByOwner: Bool { revoker == Revoker.owner }
    }

    /// Who has revoked a registration.
    package enum Revoker {
        /// An administrator, with all that the user had.
        static let administratorWithUser = "admin"
        /// An administrator, by its number.
        static let administratorByDevice = "device"
        package static let owner = "user"
        /// The code that had made it has made another one, or its device has restarted it before it was ever used.
        package static let replaced = "replaced"
    }

    package let user: String
    package let devices: [Device]
    /// When the invitations that can still be used end.
    package let invitations: [Timestamp]
    /// How many backup codes are good.
    package let backupCodes: Int
    /// Since when an administrator has revoked the user; nil unless the user is suspended.
    package let suspended: Timestamp?
    /// Why.
    package let reason: String?

    /// The best of what the devices are: a user with one good device can log in.
    package var state: AccountState {
        // A registration that waits to be verified cannot be activated while the user is suspended.
        let states = devices.map(\.state).filter { suspended == nil || $0 != .started }
        let best = states.max { $0.rank < $1.rank }
        let other: AccountState = !invitations.isEmpty ? .invited : suspended != nil ? .revoked : .unknown
        guard let best else { return other }
        return best.rank < other.rank ? other : best
    }

    /// Those of the devices in force whose logins are not signed.
    package var devicesWithoutKey: Int {
        devices.count { ($0.state == .registered || $0.state == .blocked) && !$0.hasDeviceKey }
    }

    /// The devices that have been enrolled to the end and are not revoked.
    package var devicesInForce: Int { devices.count { $0.state == .registered || $0.state == .blocked } }
}
