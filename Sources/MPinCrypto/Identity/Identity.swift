// SPDX-License-Identifier: Apache-2.0
internal import Pairing

/// An M-Pin ID and its points of G1.
///
/// The ID is a byte string: it is hashed as received, never re-encoded and never normalized.
package struct Identity: Sendable {
    /// The M-Pin ID.
    package let bytes: [UInt8]
    /// SHA-256 of ``bytes``: the form in which trust authorities know the identity.
    package let hash: [UInt8]

    package init(mpinID: [UInt8]) throws(CryptoError) {
        bytes = mpinID
        hash = try Hash.sha256(mpinID)
    }

    /// A = H(ID).
    var point: G1 { G1(mapping: hash.span) }

    /// A + AT = H(ID) + H(day | H(ID)).
    func point(on day: PermitDay) throws(CryptoError) -> G1 { try point + permitPoint(on: day) }

    /// AT = H(day | H(ID)).
    func permitPoint(on day: PermitDay) throws(CryptoError) -> G1 {
        let digest = try day.hash(hashedID: hash)
        return G1(mapping: digest.span)
    }

    /// ``point(on:)`` if there is a day, otherwise ``point``.
    func base(on day: PermitDay?) throws(CryptoError) -> G1 {
        guard let day else { return point }
        return try point(on: day)
    }
}

/// The day of a time permit: days since 1970-01-01 UTC, from 1 to 2^31 - 1.
package struct PermitDay: Equatable, Sendable, Comparable {
    package let number: Int

    /// Makes a day from its number; nil if it is out of range.
    package init?(_ daysSince1970: Int) {
        guard (1...Int(Int32.max)).contains(daysSince1970) else { return nil }
        number = daysSince1970
    }

    package static func < (left: PermitDay, right: PermitDay) -> Bool { left.number < right.number }

    /// SHA-256 of the day (4 bytes, big-endian) and a hashed identity.
    ///
    /// - Parameter hashedID: 32 bytes.
    package func hash(hashedID: [UInt8]) throws(CryptoError) -> [UInt8] {
        try Hash.sha256(PermitDay.bigEndian(UInt32(truncatingIfNeeded: number)) + hashedID)
    }

    /// Four bytes, most significant first.
    static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
