// SPDX-License-Identifier: Apache-2.0

/// What was deleted about a user.
package struct PurgedUser: Sendable {
    package let registrations: Int
    package let invitations: Int
    package let wasSuspended: Bool
    /// How many events of the audit log have a pseudonym now.
    package let events: Int
}
