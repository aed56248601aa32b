internal import Pairing

/// An M-Pin ID and the points of G1 that stand for it.
///
/// The ID is a string of bytes and nothing else: it is hashed as it came, never re-encoded, never normalized.
package struct Identity: Sendable {
    /// The M-Pin ID.
    package let bytes: [UInt8]
    /// SHA-256 of ``bytes``: the form in which trust authorities know the identity.
    package let hash: [UInt8]

    /// - Throws: ``CryptoError/libraryUnavailable``.
    package init(mpinID: [UInt8]) throws(CryptoError) {
        bytes = mpinID
        hash = try Hash.sha256(mpinID)
    }

    /// A = H(ID), as 65 bytes.
    package func encodedPoint() throws(CryptoError) -> [UInt8] {
        try PublicEncoding.bytes(of: point)
    }

    /// A + AT, the identity with a day, as 65 bytes.
    package func encodedPoint(on day: PermitDay) throws(CryptoError) -> [UInt8] {
        try PublicEncoding.bytes(of: point(on: day))
    }

    /// A = H(ID).
    var point: G1 { G1(mapping: hash.span) }

    /// A + AT = H(ID) + H(day | H(ID)).
    func point(on day: PermitDay) throws(CryptoError) -> G1 {
        try point + permitPoint(on: day)
    }

    /// AT = H(day | H(ID)).
    func permitPoint(on day: PermitDay) throws(CryptoError) -> G1 {
        let digest = try day.hash(hashedID: hash)
        return G1(mapping: digest.span)
    }

    /// ``point(on:)`` where there is a day, ``point`` where there is none.
    func base(on day: PermitDay?) throws(CryptoError) -> G1 {
        guard let day else { return point }
        return try point(on: day)
    }
}
