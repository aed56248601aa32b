// SPDX-License-Identifier: Apache-2.0

/// What a device signs besides logins.
package enum DeviceStatement {
    /// The digest for a request about an unfinished registration. It proves that the request comes from the device that
    /// has the registration's key.
    ///
    /// - Parameters:
    ///   - request: the name of the request.
    ///   - time: milliseconds since 1970-01-01 UTC.
    ///   - regOTT: the registration's one-time token.
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
}
