internal import MPinWire

/// The endpoints that a client calls, as one table: the HTTP method, where the address stands, and whether the PIN may
/// have been judged.
///
/// What refusals mean says `Endpoint+Refusal.swift`; each endpoint has one function in the other files of this folder,
/// which alone know paths and bodies.
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
        /// An answer with another status than 200.
        case refused(Int)
        /// 200 with another body than the protocol's.
        case unreadable
        /// 200 with a body of the protocol's, whatever it says.
        case understood
    }

    /// Whether the PIN may have been judged when a request ended so: the one table of it.
    func pinChecked(_ event: Event) -> MPinError.PINChecked {
        switch (self, event) {
        case (.passTwo, .unanswered(mayHaveArrived: false)): .no
        // A server that answers so to pass 2 has judged nothing; a proxy in between may say other things. 503 is what
        // both say that could not begin.
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

    /// Whether a direct login that is refused so was not judged: malformed, a revoked registration, not this device, not
    /// this time, not again, too many at once, and a server that could not begin.
    private static func isUnjudged(_ status: Int) -> Bool {
        switch status {
        case 400, 403, 404, 408, 409, 429, 503: true
        default: false
        }
    }

    /// Whether a direct login that is refused so was judged: wrong, blocked, or right and its purpose fails.
    private static func isVerdict(_ status: Int) -> Bool {
        switch status {
        case 401, 410, 412, 422: true
        default: false
        }
    }

    /// The failure of an answer with status 200 that is not the protocol's.
    var unreadable: MPinError {
        @inline(never) get {
            MPinError(
                .responseParseError, "The server's answer does not follow the protocol.",
                pinChecked: pinChecked(.unreadable))
        }
    }
}
