// SPDX-License-Identifier: Apache-2.0

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
    /// - Throws: ``CryptoError/libraryUnavailable``.
    package func hash(hashedID: [UInt8]) throws(CryptoError) -> [UInt8] {
        try Hash.sha256(PermitDay.bigEndian(UInt32(truncatingIfNeeded: number)) + hashedID)
    }

    /// Four bytes, most significant first.
    static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
