internal import MPinWire

/// A response as the routes make it, independent of the HTTP server.
package struct Response: Sendable {
    package let status: Int
    package let contentType: String
    package let body: [UInt8]
    /// Headers beside those that every response has.
    package let headers: [(name: String, value: String)]

    init(status: Int, contentType: String, body: [UInt8], headers: [(name: String, value: String)] = []) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.headers = headers
    }

    /// A response that is a JSON object.
    static func json(_ body: [UInt8], headers: [(name: String, value: String)] = []) -> Response {
        Response(status: 200, contentType: "application/json; charset=utf-8", body: body, headers: headers)
    }

    /// A response without a body.
    static let empty = Response(status: 200, contentType: "text/plain; charset=utf-8", body: [])

    /// A refusal.
    static func refusal(_ refusal: Refusal) -> Response {
        // Some HTTP clients fail a 401 that names no scheme.
        var headers = refusal.status == 401 ? [(name: "WWW-Authenticate", value: "Authenticate")] : []
        if let seconds = refusal.retryAfter { headers.append(("Retry-After", String(seconds))) }
        if let allowed = refusal.allowed { headers.append(("Allow", allowed)) }
        return Response(
            status: refusal.status, contentType: "application/json; charset=utf-8",
            body: RefusalBody(
                attemptsLeft: refusal.attemptsLeft, message: refusal.message, reason: refusal.reason,
                retryAfter: refusal.retryAfter, nowTime: refusal.nowTime.map { Int($0) }
            ).encode(status: refusal.status),
            headers: headers)
    }
}
