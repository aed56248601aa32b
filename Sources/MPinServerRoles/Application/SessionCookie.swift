// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// The cookie with a browser's session secret.
struct SessionCookie: Sendable {
    private let name: String
    private let attributes: String

    /// - Parameter isSecure: whether browsers reach the server by TLS. Without TLS they would not return a secure
    ///   cookie.
    init(isSecure: Bool) {
        name = isSecure ? "__Host-mpin_session" : "mpin_session"
        attributes = "; Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }

    /// The header that sets it.
    func setting(_ token: [UInt8]) -> (name: String, value: String) {
        ("Set-Cookie", "\(name)=\(HexText(bytes: token).string)\(attributes)")
    }

    /// The header that removes it.
    var clearing: (name: String, value: String) { ("Set-Cookie", "\(name)=; Max-Age=0\(attributes)") }

    /// The secret in a request; nil if there is none, or more than one.
    func token(in request: Request) -> [UInt8]? {
        guard let header = request.header("cookie") else { return nil }
        let values = header.split(separator: ";").compactMap { part -> Substring? in
            let trimmed = part.drop { $0 == " " }
            guard trimmed.hasPrefix("\(name)=") else { return nil }
            return trimmed.dropFirst(name.utf8.count + 1)
        }
        guard values.count == 1, let value = values.first, value.utf8.count == 2 * OneTimeToken.size else { return nil }
        return Hex.decode(Array(value.utf8).span)
    }
}
