/// What a device signs beside a login.
package enum DeviceStatement {
    /// The digest for a request while a registration is being made: that it comes from the device whose key the
    /// registration has.
    ///
    /// - Parameters:
    ///   - request: the word for the request.
    ///   - time: milliseconds since 1970-01-01 UTC.
    ///   - regOTT: the token of the registration.
    /// - Throws: ``CryptoError/libraryUnavailable``.
    package static func request(
        _ request: [UInt8], serverID: [UInt8], mpinID: [UInt8], time: UInt64, regOTT: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        var fields = SignedFields(label: "mpin device request 1")
        fields.append(serverID)
        fields.append(mpinID)
        fields.append(time)
        fields.append(request)
        fields.append(regOTT)
        return try Hash.sha256(fields.bytes)
    }

    /// The digest with which a key is bound to a registration that has none: that who logged in holds the key.
    ///
    /// - Parameters:
    ///   - publicKey: 65 bytes.
    ///   - handle: the login handle of pass 2.
    /// - Throws: ``CryptoError/libraryUnavailable``.
    package static func binding(
        publicKey: [UInt8], serverID: [UInt8], mpinID: [UInt8], handle: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        var fields = SignedFields(label: "mpin device key 1")
        fields.append(serverID)
        fields.append(mpinID)
        fields.append(publicKey)
        fields.append(handle)
        return try Hash.sha256(fields.bytes)
    }
}
