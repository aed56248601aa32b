/// A user as the administrator sees it.
package struct UserRecord: Sendable {
    /// One registration of the user: one device or account.
    package struct Device: Sendable {
        package let number: Int64
        package let name: String
        package let state: UserStanding
        package let created: Moment
        package let registered: Moment?
        package let failures: Int
        package let revoked: Moment?
        package let reason: String?
        /// What came with the registration for the application, as JSON.
        package let userData: String?
    }

    package let user: String
    package let devices: [Device]
    /// When the invitations that can still be used end.
    package let invitations: [Moment]

    /// The best of what the devices are: a user with one good device can log in.
    package var state: UserStanding {
        devices.map(\.state).max { $0.rank < $1.rank } ?? (invitations.isEmpty ? .unknown : .invited)
    }
}

/// How a user or a device stands. Milagro's names where there are any.
package enum UserStanding: String, Sendable {
    case registered = "REGISTERED"
    case blocked = "BLOCKED"
    case activated = "ACTIVATED"
    case started = "STARTED_REGISTRATION"
    case revoked = "REVOKED"
    case invited = "INVITED"
    case unknown = "INVALID"

    fileprivate var rank: Int {
        switch self {
        case .registered: 6
        case .blocked: 5
        case .activated: 4
        case .started: 3
        case .revoked: 2
        case .invited: 1
        case .unknown: 0
        }
    }
}
