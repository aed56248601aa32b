// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// The endpoints that a client calls, as one table: the HTTP method, the source of the address, and whether the PIN may
/// have been checked.
///
/// `Endpoint+Refusal.swift` defines what refusals mean. Each endpoint has one function in an extension of ``Server``,
/// which knows its path and bodies.
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
