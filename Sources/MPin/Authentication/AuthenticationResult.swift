/// What the server said of a login that it accepted.
public struct AuthenticationResult: Sendable {
    let login: AcceptedLogin
}
