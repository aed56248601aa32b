// SPDX-License-Identifier: Apache-2.0
internal import Pairing

/// The content of a direct login: the server, the identity, the time, the purpose, and the commitment U.
///
/// It is a login in one request: the client derives the challenge from all of this, and the device signs all of it
/// together with the answer V. docs/device-login.md has the formats. Neither the answer nor the signature is a login
/// without the other: a server of the two-pass protocol can choose its challenge so that a V sent to it is a right
/// answer here.
package struct DirectLogin: Sendable {
    /// The server's permanent name.
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
    /// - Throws: ``CryptoError/libraryUnavailable``.
    package func digest(v: [UInt8]) throws(CryptoError) -> [UInt8] {
        var fields = fields
        fields.append(v)
        return try Hash.sha256(fields.bytes)
    }
}
