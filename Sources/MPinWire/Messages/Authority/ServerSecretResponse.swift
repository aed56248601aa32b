/// A share of the server secret, as an authority answers its server.
package struct ServerSecretResponse: Sendable, Equatable {
    /// 128 bytes, both coordinates of a point of G2.
    package let share: [UInt8]

    package init(share: [UInt8]) {
        self.share = share
    }

    /// The body an authority answers with.
    ///
    /// - Parameter startTime: since when it runs: `YYYY-MM-DDTHH:MM:SSZ`.
    package func encode(startTime: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.serverSecret, hex: share.span)
        writer.add(.startTime, startTime)
        writer.add(.message, "OK")
        return writer.finish()
    }

    /// Reads an authority's answer.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> ServerSecretResponse {
        ServerSecretResponse(share: try JSONObject(body).bytes(.serverSecret, count: 128, in: body))
    }
}
