// SPDX-License-Identifier: Apache-2.0

/// An authority's answer with the second share of today's permit.
package struct PermitShareResponse: Sendable, Equatable {
    package init() {}

    /// The body of an authority's answer.
    ///
    /// - Parameter share: 65 bytes.
    package func encode(share: Span<UInt8>) -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.message, "OK")
        return writer.finish(.timePermit, secret: share)
    }

    /// Reads an authority's answer.
    ///
    /// - Parameter share: receives the share, 65 bytes; zeros after an error.
    @discardableResult
    package static func decode(
        _ body: Span<UInt8>, share: inout MutableSpan<UInt8>
    ) throws(WireError) -> PermitShareResponse {
        for index in share.indices { share[index] = 0 }
        try JSONObject(body).secretPoint(.timePermit, in: body, into: &share)
        return PermitShareResponse()
    }
}
