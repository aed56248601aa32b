// SPDX-License-Identifier: Apache-2.0

/// The signed query for a share of a client secret or of the server secret.
package struct ShareQuery: Sendable {
    package let appID: String
    /// `YYYY-MM-DDTHH:MM:SSZ`
    package let expires: String
    /// SHA-256 of the M-Pin ID, 32 bytes; nil if the server secret is requested.
    package let hashMPinID: HexText?
    /// The server's signature, 32 or 64 bytes.
    package let signature: HexText

    package init(appID: String, expires: String, hashMPinID: HexText?, signature: HexText) {
        (self.appID, self.expires, self.hashMPinID, self.signature) = (appID, expires, hashMPinID, signature)
    }

    package func encode() -> String {
        var query = Query()
        if let hashMPinID {
            query.add(.mobile, "1")
            query.add(.expires, expires)
            query.add(.appIDParameter, appID)
            query.add(.hashMPinID, hashMPinID.string)
            query.add(.hashUserID, "")
        } else {
            query.add(.appIDParameter, appID)
            query.add(.expires, expires)
        }
        query.add(.signature, signature.string)
        return query.string
    }

    /// - Parameter needsIdentity: whether the share belongs to a client.
    package static func decode(_ query: String, needsIdentity: Bool) throws(WireError) -> ShareQuery {
        guard let appID = Query.value(of: .appIDParameter, in: query) else { throw .missing(.appIDParameter) }
        guard let expires = Query.value(of: .expires, in: query) else { throw .missing(.expires) }
        if needsIdentity, Query.value(of: .hashUserID, in: query) == nil { throw .missing(.hashUserID) }
        return ShareQuery(
            appID: appID, expires: expires, hashMPinID: needsIdentity ? try Query.hash(.hashMPinID, in: query) : nil,
            signature: try Query.signature(in: query))
    }
}

extension Query {
    /// The signature of a query: 32 bytes of HMAC, or 64 of ECDSA.
    static func signature(in query: String) throws(WireError) -> HexText {
        try hexText(.signature, in: query) { $0 == 32 || $0 == 64 }
    }

    /// A parameter of 32 bytes in hexadecimal.
    static func hash(_ field: MemberName, in query: String) throws(WireError) -> HexText {
        try hexText(field, in: query) { $0 == 32 }
    }

    /// - Parameter fits: whether there may be this many.
    static func hexText(_ field: MemberName, in query: String, _ fits: (Int) -> Bool) throws(WireError) -> HexText {
        guard let text = value(of: field, in: query) else { throw .missing(field) }
        guard let bytes = HexText(text: Array(text.utf8).span), fits(bytes.bytes.count) else { throw .invalid(field) }
        return bytes
    }
}

/// The signed query for a share of the time permit of one or several days.
package struct PermitQuery: Sendable {
    /// SHA-256 of the M-Pin ID, 32 bytes.
    package let hashMPinID: HexText
    /// The server's signature, 32 or 64 bytes.
    package let signature: HexText
    package let appID: ByteText?
    /// The number of days, if a server asks its own authority.
    package let count: Int?

    package init(hashMPinID: HexText, signature: HexText, appID: ByteText? = nil, count: Int? = nil) {
        (self.hashMPinID, self.signature, self.appID, self.count) = (hashMPinID, signature, appID, count)
    }

    package func encode() -> ByteText {
        var query = Query()
        query.add(.hashMPinID, hashMPinID.digits)
        if let appID {
            query.add(.appIDParameter, appID)
            query.add(.mobile, "1" as ByteText)
        }
        query.add(.signature, signature.digits)
        if let count { query.add(.count, ByteText(JSONWriter.decimal(count))) }
        return query.text
    }

    /// Reads a query string; `count` may be missing and is at most 99.
    package static func decode(_ query: String) throws(WireError) -> PermitQuery {
        var count: Int?
        if let text = Query.value(of: .count, in: query) {
            guard 1...2 ~= text.utf8.count else { throw .invalid(.count) }
            var number = 0
            for byte in text.utf8 {
                guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { throw .invalid(.count) }
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
            }
            count = number
        }
        return PermitQuery(
            hashMPinID: try Query.hash(.hashMPinID, in: query), signature: try Query.signature(in: query),
            appID: Query.value(of: .appIDParameter, in: query).map { ByteText($0) }, count: count)
    }
}

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

    package func encode() -> String {
        var query = Query()
        query.add(.regOTT, regOTT.string)
        if let pushToken { query.add(.pmiToken, pushToken) }
        if let deviceProof { deviceProof.encode(to: &query) }
        return query.string
    }

    package static func decode(_ query: String) throws(WireError) -> SignatureQuery {
        SignatureQuery(
            regOTT: try Query.hexText(.regOTT, in: query) { OneTimeToken.sizes ~= $0 },
            pushToken: Query.value(of: .pmiToken, in: query), deviceProof: try DeviceProof.decode(query))
    }
}
