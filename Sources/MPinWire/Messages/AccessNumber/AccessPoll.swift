// SPDX-License-Identifier: Apache-2.0

/// Asks whether the login of a waiting session has been made.
package struct AccessPollRequest: Sendable {
    package let webOTT: HexText

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

    private var word: String {
        switch self {
        case .new: "new"
        case .entered: "wid"
        case .user: "user"
        case .authenticated: "authenticate"
        case .expired, .denied: "expired"
        }
    }

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
}
