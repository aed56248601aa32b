/// How far the login is that a session waits for.
package enum AccessPollResponse: Sendable {
    /// No device has used the number yet.
    case new
    /// A device has entered it.
    case entered
    /// A user is about to log in: the identity, which the waiting session shows.
    case user(String)
    /// Done: the login handle that logs the waiting session in.
    case authenticated(HexText)
    /// Expired, or never issued.
    case expired
    /// Over, because a person who had the number wants no login. Clients that do not know of it read that it has
    /// expired.
    case denied

    private static let words = ["new", "wid", "user", "authenticate", "expired"]

    private var word: String {
        switch self {
        case .new: Self.words[0]
        case .entered: Self.words[1]
        case .user: Self.words[2]
        case .authenticated: Self.words[3]
        case .expired, .denied: Self.words[4]
        }
    }

    /// The body a server answers with.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.status, word)
        writer.add(.statusCode, 0)
        if case .user(let identity) = self { writer.add(.userID, identity) } else { writer.add(.userID, "") }
        writer.add(.redirectURL, "")
        if case .authenticated(let handle) = self { writer.add(.authOTT, handle) } else { writer.add(.authOTT, "") }
        if case .denied = self { writer.add(.denied, true) }
        return writer.finish()
    }

    /// The body for the waiting side of an older kind: the login handle alone; nil as long as there is none.
    package func encodeHandle() -> [UInt8]? {
        guard case .authenticated(let handle) = self else { return nil }
        var writer = JSONWriter()
        writer.add(.authOTT, handle)
        return writer.finish()
    }

    /// Reads a server's answer. Older servers send the login handle alone, when there is one.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> AccessPollResponse {
        let object = try JSONObject(body)
        guard let status: String = try object.optionalText(.status, in: body) else {
            return .authenticated(try object.hexText(.authOTT, count: OneTimeToken.sizes, in: body))
        }
        switch words.firstIndex(where: { $0.utf8.elementsEqual(status.utf8) }) {
        case 0: return .new
        case 1: return .entered
        case 2: return .user(object.displayText(.userID, in: body) ?? "")
        case 3: return .authenticated(try object.hexText(.authOTT, count: OneTimeToken.sizes, in: body))
        case 4: return object.displayFlag(.denied, default: false, in: body) ? .denied : .expired
        default: throw .invalid(.status)
        }
    }
}
