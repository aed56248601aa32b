// SPDX-License-Identifier: Apache-2.0

/// Concatenated fields, each after its length, so that two different sequences of fields never have the same bytes.
struct SignedFields {
    private(set) var bytes: [UInt8] = []

    /// - Parameter label: the kind of message. Each kind has its own label.
    init(label: StaticString) { label.withUTF8Buffer { text in unsafe append(Array(text)) } }

    /// Adds the length in four bytes, big-endian, and the bytes.
    mutating func append(_ field: [UInt8]) {
        append(bigEndian: UInt64(truncatingIfNeeded: field.count), bytes: 4)
        bytes.append(contentsOf: field)
    }

    /// Adds a number as a field of eight bytes, big-endian.
    mutating func append(_ number: UInt64) {
        append(bigEndian: 8, bytes: 4)
        append(bigEndian: number, bytes: 8)
    }

    private mutating func append(bigEndian number: UInt64, bytes count: Int) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - 1 - index)))) }
    }
}

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
