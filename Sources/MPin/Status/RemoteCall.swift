internal import MPinWire

/// A request to a server, as far as the meaning of a refusal depends on it.
///
/// The general rule: 200 alone is success; 406 and the other 4xx, 3xx and 5xx have a status each; any other success or
/// informational code is a broken server, never a success.
enum RemoteCall {
    case settings
    case register
    case signature
    case clientSecret
    case timePermit
    case permitShare
    case permitStore
    case passOne
    case passTwo
    case authenticate

    /// The status that an HTTP status other than 200 stands for, with its sentence.
    ///
    /// - Parameter attemptsLeft: what the answer says beside it. Servers that refuse an access number tell it only of a
    ///   PIN that was wrong as well.
    func failure(httpStatus: Int, attemptsLeft: Int? = nil) -> (code: MPinStatus, message: Constant) {
        if self == .authenticate, httpStatus == 412, let attemptsLeft {
            return failure(httpStatus: attemptsLeft == 0 ? 410 : 401)
        }
        return particular(httpStatus) ?? RemoteCall.general(httpStatus)
    }

    private func particular(_ httpStatus: Int) -> (MPinStatus, Constant)? {
        switch (self, httpStatus) {
        case (.register, 403):
            (.identityNotAuthorized, "The server refuses to register this identity, or the code is not valid.")
        case (.signature, 400):
            (.identityNotVerified, "The server no longer knows this registration: restart it.")
        case (.signature, 401):
            (.identityNotVerified, "The identity has not been verified yet.")
        case (.clientSecret, 408):
            (.requestExpired, "The registration took too long.")
        case (.timePermit, 401), (.timePermit, 403), (.timePermit, 410), (.permitShare, 410):
            (.revoked, "The server has revoked this registration.")
        case (.authenticate, 401):
            (.incorrectPIN, "Wrong PIN.")
        case (.authenticate, 410):
            (.incorrectPIN, "Too many wrong PINs: the server has blocked this registration.")
        case (.authenticate, 403):
            (.identityNotAuthorized, "The server does not allow this login.")
        case (.authenticate, 408):
            (.requestExpired, "The login took too long.")
        case (.authenticate, 409):
            (.clientSecretExpired, "The server's keys were replaced; the registration has to be made anew.")
        case (.authenticate, 412):
            (.incorrectAccessNumber, "The access number is unknown or expired.")
        default: nil
        }
    }

    private static func general(_ httpStatus: Int) -> (MPinStatus, Constant) {
        switch httpStatus {
        case 406: (.badUserAgent, "The server refuses this program.")
        case 429: (.httpRequestError, "The server asks to wait before the next try.")
        case 400..<500: (.httpRequestError, "The server refused the request.")
        case 300..<400: (.networkError, "The server wants to redirect, which is not followed.")
        default: (.httpServerError, "The M-Pin server has a problem.")
        }
    }

    /// Whether the PIN may have been judged, when the request was answered so.
    func pinChecked(httpStatus: Int) -> MPinError.PINChecked {
        switch (self, httpStatus) {
        // A server that answers so to pass 2 has judged nothing; a proxy in between may say other things. 503 is what both
        // say that could not begin.
        case (.passTwo, 400...500), (.passTwo, 503): .no
        case (.passTwo, _): .maybe
        case (.authenticate, 400..<500): .yes
        case (.authenticate, _): .maybe
        default: .no
        }
    }

    /// Whether the PIN may have been judged, when no answer came.
    ///
    /// - Parameter transport: whether the request may have reached the server.
    func pinChecked(unanswered transport: MPinError.PINChecked) -> MPinError.PINChecked {
        switch self {
        case .passTwo: transport
        case .authenticate: .maybe
        default: .no
        }
    }
}
