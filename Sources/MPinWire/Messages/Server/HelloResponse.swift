// SPDX-License-Identifier: Apache-2.0

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

    /// Reads a server's answer.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> HelloResponse {
        HelloResponse(
            serverKey: try JSONObject(body).hexText(
                .serverKey, count: DeviceKeyFormat.publicKey...DeviceKeyFormat.publicKey, in: body))
    }
}
