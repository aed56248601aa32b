// SPDX-License-Identifier: Apache-2.0

/// An authority's half of the server secret, sent to a relying party on another host.
package struct ServerSecretResponse: Sendable, Equatable {
    /// The length of the half in bytes: a point of G2, without a prefix.
    package static let shareSize = 128

    package init() {}

    /// The body of an authority's answer.
    ///
    /// - Parameter share: 128 bytes.
    package func encode(share: Span<UInt8>) -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.message, "OK")
        return writer.finish(.serverSecret, secret: share)
    }

    /// Reads an authority's answer. MPinCrypto checks whether the share is a point of the right group.
    ///
    /// - Parameter share: receives the share, 128 bytes; zeros after an error.
    @discardableResult
    package static func decode(
        _ body: Span<UInt8>, share: inout MutableSpan<UInt8>
    ) throws(WireError) -> ServerSecretResponse {
        for index in share.indices { share[index] = 0 }
        guard share.count == shareSize else { throw .invalid(.serverSecret) }
        try JSONObject(body).secret(.serverSecret, in: body, into: &share)
        return ServerSecretResponse()
    }
}
