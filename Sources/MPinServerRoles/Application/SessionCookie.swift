// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// The cookie with a browser's session secret.
struct SessionCookie: Sendable {
    /// Whether the server's public address is one of TLS. The server may be behind a proxy then.
    let isPublicTLS: Bool

    /// Whether the browser that sends a request reaches the server by TLS. Without TLS it would not return a secure
    /// cookie.
    private func isSecure(_ request: Request) -> Bool { isPublicTLS || request.isTLS }

    private func name(_ request: Request) -> String { isSecure(request) ? "__Host-mpin_session" : "mpin_session" }

    private func attributes(_ request: Request) -> String {
        "; Path=/; HttpOnly; SameSite=Strict" + (isSecure(request) ? "; Secure" : "")
    }

    /// The header that sets it in the answer to a request.
    func setting(_ token: [UInt8], for request: Request) -> (name: String, value: String) {
        ("Set-Cookie", "\(name(request))=\(HexText(bytes: token).string)\(attributes(request))")
    }

    /// The header that removes it.
    func clearing(for request: Request) -> (name: String, value: String) {
        ("Set-Cookie", "\(name(request))=; Max-Age=0\(attributes(request))")
    }

    /// The secret in a request; nil if there is none, or more than one.
    func token(in request: Request) -> [UInt8]? {
        guard let header = request.header("cookie") else { return nil }
        let start = name(request) + "="
        let values = header.split(separator: ";").compactMap { part -> Substring? in
            let trimmed = part.drop { $0 == " " }
            guard trimmed.hasPrefix(start) else { return nil }
            return trimmed.dropFirst(start.utf8.count)
        }
        guard values.count == 1, let value = values.first, value.utf8.count == 2 * OneTimeToken.size else { return nil }
        return Hex.decode(Array(value.utf8).span)
    }
}
