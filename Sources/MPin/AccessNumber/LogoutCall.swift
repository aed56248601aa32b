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
    init?(_ answer: AuthenticateResponse, at backend: Backend) {
        guard let logoutURL = answer.logoutURL, let url = backend.resolve(logoutURL) else { return nil }
        self.url = url
        body = answer.logoutData ?? ByteText("{}").bytes
    }
}

extension HTTPTransport {
    /// Ends a session that a login by access number has signed in.
    ///
    /// - Returns: the HTTP status; nil if no answer arrived.
    func logout(_ call: LogoutCall, until deadline: Deadline) -> Int? {
        do throws(MPinError) {
            return try send(.logout, call.url, body: call.body, until: deadline)
        } catch { return nil }
    }
}
