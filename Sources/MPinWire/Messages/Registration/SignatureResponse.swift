// SPDX-License-Identifier: Apache-2.0

/// The first share of a client secret, and the query that fetches the second one.
package struct SignatureResponse: Sendable {
    /// A query string that is appended unchanged to the second authority's URL.
    package let params: String
    /// The second authority's URL, in answers that the server signs; an extension.
    package let authorityURL: String?

    package init(params: String, authorityURL: String? = nil) {
        self.params = params
        self.authorityURL = authorityURL
    }

    /// - Parameter share: the first share, 65 bytes.
    package func encode(share: Span<UInt8>) -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.params, params)
        writer.add(.certivoxURL, ifPresent: authorityURL)
        return writer.finish(.clientSecretShare, secret: share)
    }

    /// - Parameter share: receives the first share, 65 bytes; zeros after an error.
    package static func decode(
        _ body: Span<UInt8>, share: inout MutableSpan<UInt8>
    ) throws(WireError) -> SignatureResponse {
        for index in share.indices { share[index] = 0 }
        let object = try JSONObject(body)
        let params: String = try object.text(.params, in: body)
        guard Query.isWellFormed(params) else { throw .invalid(.params) }
        let authorityURL: String? = try object.optionalText(.certivoxURL, in: body)
        try object.secretPoint(.clientSecretShare, in: body, into: &share)
        return SignatureResponse(params: params, authorityURL: authorityURL)
    }
}
