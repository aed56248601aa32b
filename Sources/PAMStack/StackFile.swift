/// A file of PAM's, as it was found.
public enum StackFile: Sendable {
    /// There is none.
    case absent
    /// It is there, and could not be read: whatever is said of a service with it would be a guess.
    case unreadable
    case content([UInt8])
}
