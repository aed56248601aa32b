/// What a login is for.
enum LoginPurpose: Sendable {
    /// The device itself logs in.
    case login
    /// The device wants a one-time password, which are these six digits.
    case password([UInt8])
    /// The device approves a cross-device session, by its id; nil where the code was invalid when it was presented.
    case session(Int?)
}
