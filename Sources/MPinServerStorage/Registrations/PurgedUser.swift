/// What was deleted of a user.
package struct PurgedUser: Sendable {
    package let registrations: Int
    package let invitations: Int
    package let wasSuspended: Bool
    /// Lines of the audit log that bear a pseudonym now.
    package let events: Int
}
