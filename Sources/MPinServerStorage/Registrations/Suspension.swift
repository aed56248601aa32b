/// The suspension of a user: an administrator has revoked the user, and not only the registrations of that time.
package struct Suspension: Sendable {
    package let time: Timestamp
    package let reason: String?
}
