// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// The endpoints that a client calls, as one table: the HTTP method, the source of the address, and whether the PIN may
/// have been judged.
///
/// `Endpoint+Refusal.swift` defines what refusals mean. Each endpoint has one function in the other files of this
/// folder; only these functions know paths and bodies.
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

    var method: Constant {
        switch self {
        case .service, .clientSettings, .signature, .clientSecret, .timePermit, .permitStore, .permitShare: "GET"
        case .codeStatus, .passOne, .passTwo, .authenticate, .directLogin, .logout: "POST"
        case .register: "PUT"
        }
    }

    /// How a request ended.
    enum Event {
        /// No answer came.
        ///
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
        // A server that answers pass 2 with such a status has judged nothing; a proxy in between may answer something
        // else. Both answer 503 if they could not begin.
        case (.passTwo, .refused(400...500)), (.passTwo, .refused(503)): .no
        case (.passTwo, _): .maybe
        case (.authenticate, .refused(400..<500)), (.authenticate, .understood): .yes
        // Pass 2 came before it.
        case (.authenticate, _): .maybe
        case (.directLogin, .unanswered(mayHaveArrived: false)): .no
        case (.directLogin, .refused(let status)) where Endpoint.isUnjudged(status): .no
        case (.directLogin, .refused(let status)) where Endpoint.isVerdict(status): .yes
        case (.directLogin, .understood): .yes
        case (.directLogin, _): .maybe
        default: .no
        }
    }

    /// Whether a direct login refused with this status was not judged: malformed, a revoked registration, not this
    /// device, not this time, a repetition, too many at once, or a server that could not begin.
    private static func isUnjudged(_ status: Int) -> Bool {
        switch status {
        case 400, 403, 404, 408, 409, 429, 503: true
        default: false
        }
    }

    /// Whether a direct login refused with this status was judged: a wrong PIN, a block, or a right PIN whose purpose
    /// fails.
    private static func isVerdict(_ status: Int) -> Bool {
        switch status {
        case 401, 410, 412, 422: true
        default: false
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
