// SPDX-License-Identifier: Apache-2.0
internal import Pairing

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

/// The content of a direct login: the server, the identity, the time, the purpose, and the commitment U.
///
/// It is a login in one request: the client derives the challenge from all of this, and the device signs all of it
/// together with the answer V. docs/device-login.md has the formats. Neither the answer nor the signature is a login
/// without the other: a server of the two-pass protocol can choose its challenge so that a V sent to it is a right
/// answer here.
package struct DirectLogin: Sendable {
    package let serverID: [UInt8]
    package let mpinID: [UInt8]
    /// Milliseconds since 1970-01-01 UTC, by the server's clock.
    package let time: UInt64
    /// U = x A, 65 bytes.
    package let u: [UInt8]
    /// The word for the login's purpose, in ASCII.
    package let purpose: [UInt8]
    /// The argument of the purpose; empty if it needs none.
    package let argument: [UInt8]

    package init(serverID: [UInt8], mpinID: [UInt8], time: UInt64, u: [UInt8], purpose: [UInt8], argument: [UInt8]) {
        (self.serverID, self.mpinID, self.time, self.u) = (serverID, mpinID, time, u)
        (self.purpose, self.argument) = (purpose, argument)
    }

    private var fields: SignedFields {
        var fields = SignedFields(label: "mpin direct login 1")
        fields.append(serverID)
        fields.append(mpinID)
        fields.append(time)
        fields.append(u)
        fields.append(purpose)
        fields.append(argument)
        return fields
    }

    /// The challenge y = a + b lambda mod r, 32 bytes: a and b are the first two words of eight bytes, big-endian, of the
    /// SHA-256 of the fields.
    ///
    /// - Throws: ``CryptoError/invalidScalar`` for 0; ``CryptoError/libraryUnavailable``.
    package func challenge() throws(CryptoError) -> [UInt8] {
        let digest = try Hash.sha256(fields.bytes)
        let scalar = Scalar(shortA: Challenge.word(digest, 0), shortB: Challenge.word(digest, 8))
        guard !scalar.isZero.isSet else { throw .invalidScalar }
        return Challenge.encoded(scalar)
    }

    /// The digest that the device signs: the SHA-256 of the same fields and V.
    ///
    /// - Parameter v: 65 bytes.
    package func digest(v: [UInt8]) throws(CryptoError) -> [UInt8] {
        var fields = fields
        fields.append(v)
        return try Hash.sha256(fields.bytes)
    }
}

/// What a server signs with its key: its answers to devices. docs/device-login.md has the formats.
package enum ServerStatement {
    /// The kind of request that an answer is for. Each kind has its own label, so that no answer counts as another.
    package enum Kind: Sendable {
        /// A direct login or a status request.
        case login
        case enrollment
        /// A request to prove the key.
        case hello

        fileprivate var label: StaticString {
            switch self {
            case .login: "mpin server answer 1"
            case .enrollment: "mpin server enrollment 1"
            case .hello: "mpin server hello 1"
            }
        }
    }

    /// The digest that the server signs for an answer.
    ///
    /// - Parameters:
    ///   - keyHash: SHA-256 of the server's public key.
    ///   - request: 32 bytes that no other request has: ``signedRequest(_:signature:)``,
    ///     ``enrollmentRequest(_:mpinID:content:)``, or the challenge.
    ///   - status: the HTTP status.
    ///   - body: the bytes of the answer before the proof.
    package static func answer(
        _ kind: Kind, keyHash: [UInt8], request: [UInt8], status: Int, body: Span<UInt8>
    ) throws(CryptoError) -> [UInt8] {
        var fields = SignedFields(label: kind.label)
        fields.append(keyHash)
        fields.append(request)
        fields.append(UInt64(truncatingIfNeeded: status))
        // The hash, because a body can contain a share, and the fields are not wiped.
        fields.append(try Hash.sha256(body))
        return try Hash.sha256(fields.bytes)
    }

    /// The digest that identifies a request that a device has signed.
    ///
    /// The signature is part of it. Otherwise an attacker between device and server could damage the signature, and the
    /// server's answer, that it does not know the device, would count as the answer to the request.
    ///
    /// - Parameters:
    ///   - digest: the digest that the device signed.
    ///   - signature: 64 bytes.
    package static func signedRequest(_ digest: [UInt8], signature: [UInt8]) throws(CryptoError) -> [UInt8] {
        var fields = SignedFields(label: "mpin signed request 1")
        fields.append(digest)
        fields.append(signature)
        return try Hash.sha256(fields.bytes)
    }

    /// The digest that identifies a request of an enrollment.
    ///
    /// - Parameters:
    ///   - request: the name of the request: `register`, `restart` or `signature`.
    ///   - mpinID: the M-Pin ID in the request's path; empty if there is none.
    ///   - content: the body, or the query without its question mark.
    package static func enrollmentRequest(
        _ request: [UInt8], mpinID: [UInt8], content: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        var fields = SignedFields(label: "mpin enrollment request 1")
        fields.append(request)
        fields.append(mpinID)
        fields.append(content)
        return try Hash.sha256(fields.bytes)
    }
}
