// SPDX-License-Identifier: Apache-2.0

/// The state of a user or a device, under Milagro's name if there is one.
package enum AccountState: String, Sendable {
    case registered = "REGISTERED"
    case blocked = "BLOCKED"
    case activated = "ACTIVATED"
    case started = "STARTED_REGISTRATION"
    /// Never logged in, and too old for an enrollment that is still in progress.
    case lapsed = "LAPSED"
    case revoked = "REVOKED"
    case invited = "INVITED"
    case unknown = "INVALID"

    var rank: Int {
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
