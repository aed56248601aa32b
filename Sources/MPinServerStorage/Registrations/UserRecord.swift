// SPDX-License-Identifier: Apache-2.0

/// A user as the administrator sees it.
package struct UserRecord: Sendable {
    /// One registration of the user: one device or account.
    package struct Device: Sendable {
        /// Its number among the registrations of this user. It is not used again as long as the user has any
        /// registration.
        package let number: Int
        package let name: String
        package let state: AccountState
        package let created: Timestamp
        package let registered: Timestamp?
        package let failures: Int
        /// Wrong PINs since its last login, including those that `unblock` has forgiven.
        package let wrongSinceLastLogin: Int
        /// Wrong PINs of the last days, regardless of right PINs between them.
        package let recentWrong: Int
        /// How many more wrong PINs there may be, by the stricter of the limits.
        package let attemptsLeft: Int
        package let isProven: Bool
        package let revoked: Timestamp?
        package let reason: String?
        /// Who revoked it, as the database stores it.
        let revoker: String?
        /// The data that the registration brought for the application, as JSON.
        package let userData: String?
        /// Whether its logins are signed by the device.
        package let hasDeviceKey: Bool

        /// Whether it is enrolled and not revoked.
        package var isInForce: Bool { state == .registered || state == .blocked }
        package var isRevokedByOwner: Bool { revoker == Revoker.owner }
    }

    package enum Revoker {
        /// An administrator, together with all other registrations of the user.
        static let administratorWithUser = "admin"
        /// An administrator, by its number.
        static let administratorByDevice = "device"
        package static let owner = "user"
        /// This code made another registration, or the device restarted this one before it was used.
        static let replaced = "replaced"
    }

    package let user: String
    package let devices: [Device]
    /// When the unused invitations expire.
    package let invitations: [Timestamp]
    package let backupCodes: Int
    /// When an administrator suspended the user; nil if the user is not suspended.
    package let suspended: Timestamp?
    package let reason: String?

    /// The best state among the devices: a user with one usable device can log in.
    package var state: AccountState {
        // A registration that waits to be verified cannot be activated while the user is suspended.
        let states = devices.map(\.state).filter { suspended == nil || $0 != .started }
        let other: AccountState = !invitations.isEmpty ? .invited : suspended != nil ? .revoked : .unknown
        return max(states.max() ?? other, other)
    }

    /// How many valid devices do not sign their logins.
    package var devicesWithoutKey: Int { devices.count { $0.isInForce && !$0.hasDeviceKey } }

    package var devicesInForce: Int { devices.count(where: \.isInForce) }

    package var revokedDevices: Int { devices.count { $0.state == .revoked } }
}

package struct PurgedUser: Sendable {
    package let registrations: Int
    package let invitations: Int
    package let wasSuspended: Bool
    /// How many events of the audit log have a pseudonym now.
    package let events: Int
}

/// The outcome of an administrator's change of a user's devices.
package enum DeviceChange: Sendable {
    case none
    case noDevice
    /// The device is in a state that the change does not apply to.
    case unfit(RegistrationEntry)
    case changed([Int])
}

/// The suspension of a user. An administrator has withdrawn the user, and not only the registrations at that time.
package struct Suspension: Sendable {
    let time: Timestamp
    package let reason: String?
}

/// The state of a user or a device, under Milagro's name if there is one. The states are in ascending order: a user has
/// the highest state among the devices.
package enum AccountState: String, Sendable, CaseIterable, Comparable {
    case unknown = "INVALID"
    /// Never logged in, and too old for an enrollment that is still in progress.
    case lapsed = "LAPSED"
    case invited = "INVITED"
    case revoked = "REVOKED"
    case started = "STARTED_REGISTRATION"
    case activated = "ACTIVATED"
    case blocked = "BLOCKED"
    case registered = "REGISTERED"

    package static func < (left: AccountState, right: AccountState) -> Bool {
        allCases.first { $0 == left || $0 == right } == left && left != right
    }
}
