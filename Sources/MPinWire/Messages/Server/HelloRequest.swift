// SPDX-License-Identifier: Apache-2.0

/// Asks a server to prove which key it has; an extension.
package struct HelloRequest: Sendable, Equatable {
    /// The length of ``challenge``, in bytes.
    package static let size = 32

    /// Random bytes, new for each request. The proof in the answer covers them.
    package let challenge: HexText

    package init(challenge: HexText) { self.challenge = challenge }

    /// The body that a client sends.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.challenge, challenge)
        return writer.finish()
    }

    /// Reads a client's body.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> HelloRequest {
        let object = try JSONObject(request: body)
        return HelloRequest(challenge: try object.hexText(.challenge, count: size...size, in: body))
    }
}
