// SPDX-License-Identifier: Apache-2.0

/// The key to bind to a registration that has none, signed with that key; an extension.
package struct DeviceBinding: Sendable, Equatable {
    /// 65 bytes.
    package let publicKey: HexText
    /// 64 bytes.
    package let signature: HexText

    package init(publicKey: HexText, signature: HexText) {
        self.publicKey = publicKey
        self.signature = signature
    }

    func encode(to writer: inout JSONWriter) {
        writer.add(.deviceKey, publicKey)
        writer.add(.deviceSignature, signature)
    }

    /// Reads its members; nil if there is no key.
    static func decode(_ object: JSONObject, in body: Span<UInt8>) throws(WireError) -> DeviceBinding? {
        let sizes = (DeviceKeyFormat.publicKey, DeviceKeyFormat.signature)
        guard let key = try object.optionalHexText(.deviceKey, count: sizes.0...sizes.0, in: body) else { return nil }
        return DeviceBinding(
            publicKey: key, signature: try object.hexText(.deviceSignature, count: sizes.1...sizes.1, in: body))
    }
}
