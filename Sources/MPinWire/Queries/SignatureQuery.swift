// SPDX-License-Identifier: Apache-2.0

/// The query for the first share of a client secret.
package struct SignatureQuery: Sendable {
    package let regOTT: HexText
    /// The address for push messages, for servers that send them.
    package let pushToken: String?
    /// The proof if the registration has a key; an extension.
    package var deviceProof: DeviceProof?

    package init(regOTT: HexText, pushToken: String? = nil, deviceProof: DeviceProof? = nil) {
        (self.regOTT, self.pushToken, self.deviceProof) = (regOTT, pushToken, deviceProof)
    }

    /// The query string, without the question mark.
    package func encode() -> String {
        var query = Query()
        query.add(.regOTT, regOTT.string)
        if let pushToken { query.add(.pmiToken, pushToken) }
        if let deviceProof { deviceProof.encode(to: &query) }
        return query.string
    }

    /// Reads a query string.
    package static func decode(_ query: String) throws(WireError) -> SignatureQuery {
        SignatureQuery(
            regOTT: try Query.hexText(.regOTT, in: query) { OneTimeToken.sizes ~= $0 },
            pushToken: Query.value(of: .pmiToken, in: query), deviceProof: try DeviceProof.decode(query))
    }
}
