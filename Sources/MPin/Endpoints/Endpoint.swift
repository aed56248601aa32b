// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// The endpoints that a client calls, as one table: the HTTP method, the source of the address, and whether the PIN may
/// have been checked.
///
/// One function makes the request and knows its path and bodies: in ``DeviceServer`` for logins that the device has
/// signed, otherwise in ``Server``, or in ``HTTPTransport`` before there are settings.
enum Endpoint {
    case service
    case clientSettings
    case codeStatus
    case register
    case signature
    case clientSecret
    case timePermit
    case permitStore
    case permitShare
    case passOne
    case passTwo
    case authenticate
    case directLogin
    case logout
    case hello

    var method: Constant {
        switch self {
        case .service, .clientSettings, .signature, .clientSecret, .timePermit, .permitStore, .permitShare: "GET"
        case .codeStatus, .passOne, .passTwo, .authenticate, .directLogin, .logout, .hello: "POST"
        case .register: "PUT"
        }
    }

    enum Event {
        /// - Parameter mayHaveArrived: whether the request may have reached the server.
        case unanswered(mayHaveArrived: Bool)
        /// The status of the answer was not 200.
        case refused(Int)
        /// The status was 200, but the body does not follow the protocol.
        case unreadable
        /// The status was 200 and the body follows the protocol, whatever it contains.
        case understood
    }

    /// Whether the PIN may have been judged if a request ended like this. This is the only table of it.
    func pinChecked(_ event: Event) -> MPinError.PINChecked {
        switch (self, event) {
        case (.passTwo, .unanswered(mayHaveArrived: false)): .no
        // A server that answers pass 2 with such a status has judged nothing. A proxy in between may answer something
        // else, and a server answers 503 also if it could not record the result.
        case (.passTwo, .refused(400...500)): .no
        case (.passTwo, _): .maybe
        case (.authenticate, .refused(400..<500)), (.authenticate, .understood): .yes
        // Pass 2 came before it.
        case (.authenticate, _): .maybe
        case (.directLogin, .unanswered(mayHaveArrived: false)): .no
        case (.directLogin, .refused(let status)): Endpoint.pinChecked(DirectRefusal(rawValue: status)?.isJudged)
        case (.directLogin, .understood): .yes
        case (.directLogin, _): .maybe
        default: .no
        }
    }

    private static func pinChecked(_ isJudged: Bool?) -> MPinError.PINChecked {
        switch isJudged {
        case true?: .yes
        case false?: .no
        case nil: .maybe
        }
    }

    /// The error for an answer with status 200 that does not follow the protocol.
    var unreadable: MPinError {
        @inline(never) get {
            MPinError(
                .responseParseError, "The server's answer does not follow the protocol.",
                pinChecked: pinChecked(.unreadable))
        }
    }
}

// The meaning of an HTTP status at an endpoint.
//
// The general rule: only 200 is success; 406 and the other 4xx, 3xx and 5xx each map to a status; any other success or
// informational code is a broken server, never a success.
extension Endpoint {
    /// The error for an answer with an HTTP status other than 200.
    @inline(never)
    func refusal(httpStatus: Int, _ answer: Span<UInt8>) -> MPinError {
        let body = RefusalBody.decode(answer)
        // Only requests that have the PIN judged, or that redeem the judgment, can report what is left.
        let attemptsLeft: Int? =
            switch self {
            case .passTwo, .authenticate, .directLogin: body.attemptsLeft
            default: nil
            }
        let reason = self == .timePermit || self == .directLogin ? body.reason : nil
        let isOffTime = self == .directLogin && httpStatus == DirectRefusal.offTime.rawValue
        let (code, message) = failure(httpStatus: httpStatus, attemptsLeft: attemptsLeft)
        let error = MPinError(
            code, message, attemptsLeft: attemptsLeft, pinChecked: pinChecked(.refused(httpStatus)),
            httpStatus: httpStatus, cause: cause(httpStatus, code), refusalReason: reason,
            serverTime: isOffTime ? body.nowTime : nil)
        if error.cause == .limited { error.setRetryAfter(body.retryAfter) }
        return error
    }

    /// What programs need to know beyond the SDK status.
    private func cause(_ httpStatus: Int, _ code: MPinStatus) -> MPinError.Cause {
        switch (self, httpStatus) {
        case (_, 429): return .limited
        // The server's key is not known yet, so anything may have answered.
        case (.hello, 403): return .unproven
        case (.directLogin, _):
            switch DirectRefusal(rawValue: httpStatus) {
            case .unknownDevice: return .unknownDevice
            case .offTime: return .clock
            case .replayed: return .doubled
            default: return .server
            }
        case (.codeStatus, 404), (.codeStatus, 410), (.codeStatus, 412): return .unknownSession
        case (.signature, 400): return .lapsedRegistration
        case (.signature, 403): return .revokedRegistration
        case (_, 403), (_, 404): return code == .httpRequestError ? .unknownAddress : .server
        default: return .server
        }
    }

    /// The SDK status for an HTTP status other than 200, with its sentence.
    ///
    /// - Parameter attemptsLeft: the number in the answer. Servers that refuse an access number send it only if the PIN
    ///   was wrong too.
    private func failure(httpStatus: Int, attemptsLeft: Int? = nil) -> (code: MPinStatus, message: Constant) {
        if self == .authenticate || self == .directLogin, httpStatus == 412, let attemptsLeft {
            return failure(httpStatus: attemptsLeft == 0 ? 410 : 401)
        }
        return particular(httpStatus) ?? Endpoint.general(httpStatus)
    }

    private func particular(_ httpStatus: Int) -> (MPinStatus, Constant)? {
        switch (self, httpStatus) {
        case (.register, 403):
            (.identityNotAuthorized, "The server refuses to register this identity, or the code is not valid.")
        case (.hello, 403): (.identityNotAuthorized, "The server does not know this code.")
        case (.signature, 400): (.identityNotVerified, "The server does not know this registration. Start again.")
        case (.signature, 401): (.identityNotVerified, "The identity has not been verified yet.")
        case (.clientSecret, 408): (.requestExpired, "The registration took too long.")
        case (.directLogin, _): DirectRefusal(rawValue: httpStatus).flatMap(Endpoint.meaning)
        case (.timePermit, 401), (.timePermit, 403), (.timePermit, 410), (.permitShare, 410): Endpoint.meaning(.revoked)
        case (.authenticate, 401): Endpoint.meaning(.wrongPIN)
        case (.authenticate, 410): Endpoint.meaning(.blocked)
        case (.authenticate, 403): (.identityNotAuthorized, "The server does not allow this login.")
        case (.authenticate, 408): Endpoint.meaning(.late)
        case (.authenticate, 409): (.clientSecretExpired, "The server's keys were replaced: register again.")
        case (.authenticate, 412): Endpoint.meaning(.unknownSession)
        default: nil
        }
    }

    private static func meaning(_ refusal: DirectRefusal) -> (MPinStatus, Constant)? {
        switch refusal {
        case .wrongPIN: (.incorrectPIN, "Wrong PIN.")
        case .blocked: (.incorrectPIN, "Too many wrong PINs: the server has blocked this registration.")
        case .revoked: (.revoked, "The server has revoked this registration.")
        case .unknownDevice: (.clientSecretExpired, MPinError.unknownDevice)
        case .offTime: (.requestExpired, "The server refused the time of this request: check this machine's clock.")
        case .replayed: (.requestExpired, "The request has reached the server twice: log in again.")
        case .unknownSession: (.incorrectAccessNumber, "The access number is unknown or expired.")
        case .late: (.requestExpired, "The login took too long.")
        case .malformed, .unmet, .limited, .unavailable: nil
        }
    }

    private static func general(_ httpStatus: Int) -> (MPinStatus, Constant) {
        switch httpStatus {
        case 406: (.badUserAgent, "The server refuses this program.")
        case 429: (.httpRequestError, "The server asks you to wait before the next try.")
        case 400..<500: (.httpRequestError, "The server refused the request.")
        case 300..<400: (.networkError, "The server sent a redirect, which is not followed.")
        default: (.httpServerError, "The M-Pin server reported an error.")
        }
    }
}
