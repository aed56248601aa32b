// SPDX-License-Identifier: Apache-2.0

/// Asks whether the login of a waiting session has been made.
package struct AccessPollRequest: Sendable {
    package let webOTT: HexText

    package init(webOTT: HexText) {
        self.webOTT = webOTT
    }

    /// The body that the waiting side sends.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.webOTT, webOTT)
        return writer.finish()
    }

    /// Reads the waiting side's body.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> AccessPollRequest {
        let object = try JSONObject(request: body)
        return AccessPollRequest(webOTT: try object.hexText(.webOTT, count: OneTimeToken.sizes, in: body))
    }
}
