/// Where a request waits. Each lane has threads of its own, so that what holds one up does not hold up the others.
package enum RequestClass: Sendable, CaseIterable {
    /// Waits for nothing and takes microseconds: it is answered on the thread of its connection.
    case immediate
    /// Needs no write: settings, pages, keys, challenges, sessions.
    case reading
    /// Judges a login, for which it writes.
    case judging
    /// Everything else that writes, or that may ask others: a mail server's place, the site's application.
    case registering
}

extension Request {
    /// The lane of this request. What is not known to do without a write counts as one that writes.
    package var requestClass: RequestClass {
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
            .map { String(Substring($0)) }
        if segments == ["rps", "pass1"] { return .immediate }
        if segments == ["rps", "pass2"] { return .judging }
        switch method {
        case "GET", "HEAD": return segments.starts(with: ["rps", "signature"]) ? .registering : .reading
        case "OPTIONS": return .reading
        default: return Self.readOnly.contains(segments) ? .reading : .registering
        }
    }

    /// What is posted and changes nothing but memory.
    private static let readOnly: Set<[String]> = [
        ["rps", "access"], ["rps", "accessnumber"], ["rps", "codeStatus"],
        ["rps", "getAccessNumber"], ["rps", "getQrUrl"], ["rps", "authenticate"], ["mpinAuthenticate"], ["logout"],
        ["otp"],
    ]
}
