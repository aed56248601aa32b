// SPDX-License-Identifier: Apache-2.0

/// Asks a server to prove which key it has; an extension.
package struct HelloRequest: Sendable, Equatable {
    /// The length of ``challenge``, in bytes.
    package static let size = 32

    /// Random bytes, new for each request. The proof in the answer covers them.
    package let challenge: HexText

    package init(challenge: HexText) { self.challenge = challenge }

    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.challenge, challenge)
        return writer.finish()
    }

    package static func decode(_ body: Span<UInt8>) throws(WireError) -> HelloRequest {
        let object = try JSONObject(request: body)
        return HelloRequest(challenge: try object.hexText(.challenge, count: size...size, in: body))
    }
}

/// The server's key, in an answer that ends in a proof made with it; an extension.
package struct HelloResponse: Sendable, Equatable {
    /// 65 bytes.
    package let serverKey: HexText

    package init(serverKey: HexText) { self.serverKey = serverKey }

    /// The body of a server's answer, without the proof.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.serverKey, serverKey)
        return writer.finish()
    }

    package static func decode(_ body: Span<UInt8>) throws(WireError) -> HelloResponse {
        HelloResponse(
            serverKey: try JSONObject(body).hexText(
                .serverKey, count: DeviceKeyFormat.publicKey...DeviceKeyFormat.publicKey, in: body))
    }
}
