// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

// The meaning of an HTTP status at an endpoint.
//
// The general rule: only 200 is success; 406 and the other 4xx, 3xx and 5xx each map to a status; any other success or
// informational code is a broken server, never a success.
extension Endpoint {
    /// The error for an answer with an HTTP status other than 200.
    @inline(never)
    func refusal(httpStatus: Int, _ answer: Span<UInt8>) -> MPinError {
        // Only requests that have the PIN judged, or that redeem the judgment, can report what is left. The final call
        // with a revocation is one of them.
        let attemptsLeft: Int? =
            switch self {
            case .passTwo, .authenticate, .directLogin: RefusalBody.attemptsLeft(in: answer)
            default: nil
            }
        let serverTime = self == .directLogin && httpStatus == 408 ? RefusalBody.nowTime(in: answer) : nil
        let (code, message) = failure(httpStatus: httpStatus, attemptsLeft: attemptsLeft)
        return MPinError(
            code, message, attemptsLeft: attemptsLeft, pinChecked: pinChecked(.refused(httpStatus)),
            httpStatus: httpStatus, cause: cause(httpStatus), reason: reason(httpStatus, answer), serverTime: serverTime
        )
    }

    private func cause(_ httpStatus: Int) -> MPinError.Cause {
        guard self == .directLogin else { return .server }
        switch httpStatus {
        case 404: return .unknownDevice
        #if !hasFeature(Embedded)
        case 408: return .clock
        case 409: return .doubled
        #endif
        default: return .server
        }
    }

    /// The server's reason in the answer.
    private func reason(_ httpStatus: Int, _ answer: Span<UInt8>) -> ByteText? {
        #if !hasFeature(Embedded)
        if httpStatus == 429, let seconds = RefusalBody.retryAfter(in: answer) {
            var text = ByteText()
            text.append(decimal: seconds)
            return text
        }
        #endif
        return switch self {
        case .timePermit, .directLogin: RefusalBody.reason(in: answer)
        default: nil
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
        // The module makes no registrations.
        #if !hasFeature(Embedded)
        case (.register, 403):
            (.identityNotAuthorized, "The server refuses to register this identity, or the code is not valid.")
        case (.signature, 400):
            (.identityNotVerified, "The server no longer knows this registration: restart it.")
        case (.signature, 401):
            (.identityNotVerified, "The identity has not been verified yet.")
        case (.clientSecret, 408):
            (.requestExpired, "The registration took too long.")
        #endif
        case (.timePermit, 401), (.timePermit, 403), (.timePermit, 410), (.permitShare, 410), (.directLogin, 403):
            (.revoked, "The server has revoked this registration.")
        case (.authenticate, 401), (.directLogin, 401):
            (.incorrectPIN, "Wrong PIN.")
        case (.authenticate, 410), (.directLogin, 410):
            (.incorrectPIN, "Too many wrong PINs: the server has blocked this registration.")
        case (.authenticate, 403):
            (.identityNotAuthorized, "The server does not allow this login.")
        case (.authenticate, 408):
            (.requestExpired, "The login took too long.")
        case (.authenticate, 409):
            (.clientSecretExpired, "The server's keys were replaced: register again.")
        case (.authenticate, 412), (.directLogin, 412):
            (.incorrectAccessNumber, "The access number is unknown or expired.")
        case (.directLogin, 504):
            (.requestExpired, "The login took too long.")
        case (.directLogin, 404):
            (.clientSecretExpired, MPinError.unknownDevice)
        case (.directLogin, 408):
            (.requestExpired, "The server refused the time of this request: check this machine's clock.")
        case (.directLogin, 409):
            (.requestExpired, "The request has reached the server twice: log in again.")
        default: nil
        }
    }

    private static func general(_ httpStatus: Int) -> (MPinStatus, Constant) {
        switch httpStatus {
        case 406: (.badUserAgent, "The server refuses this program.")
        case 429: (.httpRequestError, "The server asks you to wait before the next try.")
        case 400..<500: (.httpRequestError, "The server refused the request.")
        case 300..<400: (.networkError, "The server sent a redirect, which is not followed.")
        default: (.httpServerError, "The M-Pin server has a problem.")
        }
    }
}
