// SPDX-License-Identifier: Apache-2.0

/// Proves that a request for an unfinished registration comes from the device that has the registration's key; an
/// extension.
package struct DeviceProof: Sendable, Equatable {
    /// Milliseconds since 1970-01-01 UTC.
    package let time: Int
    /// 64 bytes.
    package let signature: HexText

    package init(time: Int, signature: HexText) {
        self.time = time
        self.signature = signature
    }

    func encode(to writer: inout JSONWriter) {
        writer.add(.time, time)
        writer.add(.deviceSignature, signature)
    }

    package func encode(to query: inout Query) {
        query.add(.time, String(time))
        query.add(.deviceSignature, signature.string)
    }

    /// Reads the members of a body; nil if there is no signature.
    static func decode(_ object: JSONObject, in body: Span<UInt8>) throws(WireError) -> DeviceProof? {
        let count = DeviceKeyFormat.signature...DeviceKeyFormat.signature
        guard let signature = try object.optionalHexText(.deviceSignature, count: count, in: body) else { return nil }
        let time = try object.integer(.time, in: body)
        guard time > 0 else { throw .invalid(.time) }
        return DeviceProof(time: time, signature: signature)
    }

    /// Reads the parameters of a query; nil if there is no signature.
    static func decode(_ query: String) throws(WireError) -> DeviceProof? {
        guard Query.value(of: .deviceSignature, in: query) != nil else { return nil }
        let signature = try Query.hexText(.deviceSignature, in: query) { $0 == DeviceKeyFormat.signature }
        guard let time = Query.value(of: .time, in: query).flatMap({ Int($0) }), time > 0 else { throw .invalid(.time) }
        return DeviceProof(time: time, signature: signature)
    }
}

/// The sizes of a device key and its signatures, in bytes.
package enum DeviceKeyFormat {
    /// 04, x and y of a point of P-256.
    package static let publicKey = 65
    /// r and s.
    package static let signature = 64
}
