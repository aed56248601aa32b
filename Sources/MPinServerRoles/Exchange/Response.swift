// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinCrypto
internal import MPinWire

/// A response, independent of the HTTP server.
package struct Response: Sendable {
    package let status: Int
    package let contentType: String
    package var body: [UInt8] { content.bytes }
    /// Headers besides those that every response has.
    package let headers: [(name: String, value: String)]
    let content: ResponseContent

    init(status: Int, contentType: String, body: [UInt8], headers: [(name: String, value: String)] = []) {
        self.init(status: status, contentType: contentType, content: ResponseContent(body), headers: headers)
    }

    private init(
        status: Int, contentType: String, content: ResponseContent, headers: [(name: String, value: String)] = []
    ) { (self.status, self.contentType, self.content, self.headers) = (status, contentType, content, headers) }

    /// A response that is a JSON object with a secret. It is wiped when its last reference is released.
    ///
    /// - Parameter encode: makes the object, and leaves no other copy of the secret.
    static func secret(_ secret: borrowing SecretBytes, _ encode: (Span<UInt8>) -> [UInt8]) -> Response {
        Response(
            status: 200, contentType: jsonType,
            content: ResponseContent(secret.withBytes { bytes in encode(bytes) }, isSecret: true))
    }

    func adding(_ more: [(name: String, value: String)]) -> Response {
        Response(status: status, contentType: contentType, content: content, headers: headers + more)
    }

    func replacing(_ content: ResponseContent) -> Response {
        Response(status: status, contentType: contentType, content: content, headers: headers)
    }

    private static let jsonType = "application/json; charset=utf-8"

    static func json(_ body: [UInt8], headers: [(name: String, value: String)] = []) -> Response {
        Response(status: 200, contentType: jsonType, body: body, headers: headers)
    }

    static let empty = Response(status: 200, contentType: "text/plain; charset=utf-8", body: [])

    package static func refusal(_ refusal: Refusal) -> Response {
        // Some HTTP clients fail on a 401 without a scheme.
        var headers = refusal.status == 401 ? [(name: "WWW-Authenticate", value: "Authenticate")] : []
        if let seconds = refusal.retryAfter { headers.append(("Retry-After", String(seconds))) }
        if let allowed = refusal.allowed { headers.append(("Allow", allowed)) }
        return Response(
            status: refusal.status, contentType: jsonType,
            body: RefusalBody(
                attemptsLeft: refusal.attemptsLeft, message: ByteText(refusal.message),
                reason: refusal.reason.map { ByteText($0) }, retryAfter: refusal.retryAfter,
                nowTime: refusal.nowTime.map { Int($0) }
            ).encode(status: refusal.status), headers: headers)
    }
}

/// The bytes of a response. A secret is wiped when its last reference is released.
final class ResponseContent: @unchecked Sendable {
    private(set) var bytes: [UInt8]
    private let isSecret: Bool

    init(_ bytes: [UInt8], isSecret: Bool = false) { (self.bytes, self.isSecret) = (bytes, isSecret) }

    /// A copy with another end, which is as secret. It is allocated once, so that no part of it stays behind.
    func replacing(from count: Int, by end: [UInt8]) -> ResponseContent {
        var copy: [UInt8] = []
        copy.reserveCapacity(count + end.count)
        copy.append(contentsOf: bytes[..<count])
        copy.append(contentsOf: end)
        return ResponseContent(copy, isSecret: isSecret)
    }

    deinit {
        guard isSecret else { return }
        unsafe bytes.withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { unsafe explicit_bzero(start, bytes.count) }
        }
    }
}
