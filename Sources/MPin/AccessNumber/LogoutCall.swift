internal import MPinWire

/// The request that ends a session which a login by access number has signed in.
///
/// Kept in memory alone, and replaced by that of the user's next such login.
struct LogoutCall {
    let url: ByteText
    /// A JSON object, as the application gave it.
    let body: [UInt8]

    /// Reads it from an accepted login.
    ///
    /// - Returns: `nil` when the application named no address that may be called.
    init?(_ answer: AuthenticateResponse, at server: Server) {
        guard let logoutURL = answer.logoutURL, let url = server.backend.resolve(logoutURL) else { return nil }
        self.url = url
        body = answer.logoutData ?? ByteText("{}").bytes
    }
}
