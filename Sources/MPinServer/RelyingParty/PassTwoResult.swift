/// A pass 2 and the verdict on it.
struct PassTwoResult: Sendable {
    let verdict: LoginVerdict
    /// SHA-256 of the M-Pin ID.
    let hash: [UInt8]
    let purpose: LoginPurpose
}

/// What a login is for.
enum LoginPurpose: Sendable {
    /// The device itself logs in.
    case login
    /// The device wants a one-time password, which are these six digits.
    case password([UInt8])
    /// The device approves a cross-device session, by its id; nil where the code was invalid when it was presented.
    case session(Int?)
}
