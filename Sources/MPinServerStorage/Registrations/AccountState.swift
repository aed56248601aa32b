// SPDX-License-Identifier: Apache-2.0

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
