// SPDX-License-Identifier: Apache-2.0

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
        self.hashMPinID = hashMPinID
        self.signature = signature
        self.appID = appID
        self.count = count
    }

    /// The query string, without the question mark.
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
