// SPDX-License-Identifier: Apache-2.0

/// Asks whether the login of a waiting session has been made.
package struct AccessPollRequest: Sendable {
    package let webOTT: HexText

    package init(webOTT: HexText) {
        self.webOTT = webOTT
    }

    /// The body that the waiting side sends.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.webOTT, webOTT)
        return writer.finish()
    }

    /// Reads the waiting side's body.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> AccessPollRequest {
        let object = try JSONObject(request: body)
        return AccessPollRequest(webOTT: try object.hexText(.webOTT, count: OneTimeToken.sizes, in: body))
    }
}

/// The progress of the login that a session waits for.
package enum AccessPollResponse: Sendable {
    /// No device has used the number yet.
    case new
    /// A device has entered it.
    case entered
    /// A user is about to log in: the identity, which the waiting session shows.
    case user(String)
    /// Finished: the login handle that logs the waiting session in.
    case authenticated(HexText)
    /// Expired, or never issued.
    case expired
    /// Finished, because a user with the number rejects the login. Clients that do not know this state read it as
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

    /// The body of a server's answer.
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

    /// The body for an older waiting side: only the login handle; nil while there is none.
    package func encodeHandle() -> [UInt8]? {
        guard case .authenticated(let handle) = self else { return nil }
        var writer = JSONWriter()
        writer.add(.authOTT, handle)
        return writer.finish()
    }

    /// Reads a server's answer. Older servers send only the login handle, once there is one.
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
