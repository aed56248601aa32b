// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// The request that ends a session signed in by access number.
///
/// It is kept only in memory. The user's next login by access number replaces it.
struct LogoutCall {
    let url: ByteText
    /// A JSON object, as the application sent it.
    let body: [UInt8]

    /// Reads the request from an accepted login.
    ///
    /// - Returns: `nil` if the application named no address that the client may call.
    init?(_ answer: AuthenticateResponse, at server: Server) {
        guard let logoutURL = answer.logoutURL, let url = server.backend.resolve(logoutURL) else { return nil }
        self.url = url
        body = answer.logoutData ?? ByteText("{}").bytes
    }
}
