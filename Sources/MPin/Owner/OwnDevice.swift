/// A device of the user, as the server lists it.
public struct OwnDevice: Sendable {
    /// Its number among those of the user.
    public let number: Int
    /// The name it was registered with; may be empty.
    public let name: String
    /// The server's word for its state, such as `REGISTERED`.
    public let state: String
    /// When it was registered, in UTC: `YYYY-MM-DDTHH:MM:SSZ`.
    public let created: String
    /// Whether it is the one that logged in for this list.
    public let isCurrent: Bool
}
