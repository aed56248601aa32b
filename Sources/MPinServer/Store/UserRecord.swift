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
        /// Whether it has ever logged in.
        package let isProven: Bool
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
        let best = devices.map(\.state).max { $0.rank < $1.rank }
        let other: UserStanding = invitations.isEmpty ? .unknown : .invited
        guard let best else { return other }
        return best.rank < other.rank ? other : best
    }

    /// The devices that have been enrolled to the end and are not revoked.
    package var devicesInForce: Int { devices.count { $0.state == .registered || $0.state == .blocked } }
}

/// How a user or a device stands. Milagro's names where there are any.
package enum UserStanding: String, Sendable {
    case registered = "REGISTERED"
    case blocked = "BLOCKED"
    case activated = "ACTIVATED"
    case started = "STARTED_REGISTRATION"
    /// Never logged in, and too old for an enrolment that still goes on.
    case lapsed = "LAPSED"
    case revoked = "REVOKED"
    case invited = "INVITED"
    case unknown = "INVALID"

    fileprivate var rank: Int {
        switch self {
        case .registered: 7
        case .blocked: 6
        case .activated: 5
        case .started: 4
        case .revoked: 3
        case .invited: 2
        case .lapsed: 1
        case .unknown: 0
        }
    }
}
