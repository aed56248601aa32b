// SPDX-License-Identifier: Apache-2.0

/// What a server signs with its key: its answers to devices. docs/device-login.md has the formats.
package enum ServerStatement {
    /// The kind of request that an answer is for. Each kind has its own label, so that no answer counts as another.
    package enum Kind: Sendable {
        /// A direct login or a status request.
        case login
        /// A request of an enrollment.
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
    /// - Throws: ``CryptoError/libraryUnavailable``.
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
    /// - Throws: ``CryptoError/libraryUnavailable``.
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
    /// - Throws: ``CryptoError/libraryUnavailable``.
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
