/// A device of the user, as the server lists it.
package struct OwnDevice: Sendable {
    /// Its number among those of the user.
    package let number: Int
    package let name: String
    /// The server's word for how it stands, such as `REGISTERED`.
    package let state: String
    /// `YYYY-MM-DDTHH:MM:SSZ`
    package let created: String
    /// Whether it is the one that has asked.
    package let isCurrent: Bool
}
