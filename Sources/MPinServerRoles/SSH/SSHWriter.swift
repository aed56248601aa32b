// SPDX-License-Identifier: Apache-2.0

/// Writes the data types of the ssh protocol (RFC 4251, section 5).
struct SSHWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ number: UInt32) { for shift in [24, 16, 8, 0] { bytes.append(UInt8(number >> shift & 0xFF)) } }

    mutating func add(_ number: UInt64) {
        add(UInt32(number >> 32))
        add(UInt32(number & 0xFFFF_FFFF))
    }

    /// Adds a string: its length in four bytes, and its bytes.
    mutating func add(_ string: [UInt8]) {
        add(UInt32(string.count))
        bytes += string
    }

    mutating func add(_ string: String) { add(Array(string.utf8)) }

    /// Adds several fields as one string.
    mutating func add(fields write: (inout SSHWriter) -> Void) {
        var inner = SSHWriter()
        write(&inner)
        add(inner.bytes)
    }

    /// Adds fields that are already encoded.
    mutating func append(_ encoded: [UInt8]) { bytes += encoded }

    /// Adds a positive integer (`mpint`) in its only form: without leading zeros, except one before a set highest bit.
    ///
    /// - Parameter number: big-endian.
    mutating func add(integer number: ArraySlice<UInt8>) {
        let digits = Array(number.drop { $0 == 0 })
        add((digits.first ?? 0) >= 0x80 ? [0] + digits : digits)
    }
}
