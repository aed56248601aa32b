// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import Pairing

/// alpha: the number by which H(ID) is subtracted from the client secret to make a token, and added back at a login.
package struct PINFactor: ~Copyable {
    /// 32 bytes, big-endian, below r. May be 0.
    private let bytes: SecretBytes
    /// Whether alpha is below 2^22, as it is for four to six digits and for the 14 bits of the library of 2016.
    private let isShort: Bool

    /// The factor of a typed PIN.
    ///
    /// - Throws: ``CryptoError/invalidPIN`` for an empty PIN, or for a PIN that does not have four to six digits if the
    ///   scheme is ``PINScheme/decimal``; ``CryptoError/memoryUnavailable``; ``CryptoError/libraryUnavailable``.
    package init(pin: borrowing SecretBytes, scheme: PINScheme) throws(CryptoError) {
        defer { mpin_wipe_stack() }
        bytes = try PINFactor.encoded(pin, scheme)
        isShort =
            switch scheme {
            case .decimal, .mobile2016: true
            case .hashed: false
            }
    }

    /// A factor that no PIN has, for an answer that cannot be right and must look like one that can.
    package init(ofNoPINBeside secret: borrowing SecretBytes) throws(CryptoError) {
        bytes = try SecretBytes(scalar: Scalar(1_000_000), beside: secret)
        isShort = true
    }

    /// The factor that the library of 2016 computes from a C `int`.
    package init(integer: Int32) throws(CryptoError) {
        defer { mpin_wipe_stack() }
        bytes = try PINFactor.encoded(integer)
        isShort = true
    }

    @inline(never)
    private static func encoded(_ integer: Int32) throws(CryptoError) -> SecretBytes {
        try SecretBytes(scalar: Scalar(folded(integer)))
    }

    /// alpha as a number modulo r.
    borrowing func scalar() -> Scalar { bytes.withBytes { bytes in Scalar(reducing: bytes) } }

    /// alpha A.
    borrowing func multiple(of point: G1) -> G1 {
        isShort ? point.multiplied(byShort: scalar()) : point.multiplied(by: scalar())
    }

    @inline(never)
    private static func encoded(
        _ pin: borrowing SecretBytes, _ scheme: PINScheme
    ) throws(CryptoError) -> SecretBytes {
        guard pin.count > 0 else { throw .invalidPIN }
        return switch scheme {
        case .decimal: try decimal(pin)
        case .hashed: try hashed(pin)
        case .mobile2016: try mobile2016(pin)
        }
    }

    @inline(never)
    private static func decimal(_ pin: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
        guard (4...6).contains(pin.count) else { throw .invalidPIN }
        var value: UInt64 = 0
        var excess: UInt64 = 0
        pin.withBytes { bytes in
            for index in bytes.indices {
                let digit = UInt64(bytes[index]) ^ 0x30
                excess |= digit &+ 6  // has a bit above the lowest four unless digit is 0...9
                value = value &* 10 &+ digit
            }
        }
        try demand(Mask(zero: excess & ~0xF), else: .invalidPIN)
        return try SecretBytes(scalar: Scalar(value), beside: pin)
    }

    @inline(never)
    private static func hashed(_ pin: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
        let prefix: StaticString = "pam-mpin PIN factor 1\0"
        let start = prefix.utf8CodeUnitCount
        var message = try SecretBytes(capacity: start + pin.count)
        pin.withBytes { pin in
            message.withMutableBytes(count: start + pin.count) { message in
                for index in 0..<start { message[index] = unsafe prefix.utf8Start[index] }
                for index in pin.indices { message[start + index] = pin[index] }
            }
        }
        let digest = try Hash.sha256(message)
        return try SecretBytes(scalar: digest.withBytes { digest in Scalar(reducing: digest) })
    }

    /// h = 31 h + byte over the bytes, wrapping at 32 bits, bytes above 127 counting as negative.
    @inline(never)
    private static func mobile2016(_ pin: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
        var hash: Int32 = 0
        pin.withBytes { bytes in
            for index in bytes.indices { hash = hash &* 31 &+ Int32(Int8(bitPattern: bytes[index])) }
        }
        return try SecretBytes(scalar: Scalar(folded(hash)))
    }

    /// The remainder modulo 10000 with the sign of the number, reduced to its lowest 14 bits.
    ///
    /// It uses a multiplication (Warren, Hacker's Delight, 10-1): compilers that optimize for size would emit a
    /// hardware division, whose time depends on the PIN.
    private static func folded(_ integer: Int32) -> UInt64 {
        // 2^44 / 10000, rounded up; exact for all 32-bit numbers.
        let quotient = Int32(truncatingIfNeeded: (Int64(integer) &* 1_759_218_605) >> 44) &- integer >> 31
        return UInt64(UInt32(bitPattern: integer &- quotient &* 10000) & 0x3FFF)
    }
}

/// How a typed PIN becomes the number that is subtracted from the client secret.
///
/// The token remembers which one made it; the server never learns it.
package enum PINScheme: Equatable, Sendable {
    /// Four to six digits stand for their value, so that no two PINs of one length open the same token.
    case decimal
    /// Any text: SHA-256 with a fixed prefix, modulo r.
    case hashed
    /// The string hash of the mobile apps of 2016, for tokens imported from them. Many PINs have the same hash.
    case mobile2016

    /// The name of the scheme in a record.
    package var name: StaticString {
        switch self {
        case .decimal: "decimal"
        case .hashed: "hashed"
        case .mobile2016: "mobile2016"
        }
    }

    /// The scheme with that name; nil if there is none.
    package init?(name: [UInt8]) {
        for scheme in [PINScheme.decimal, .hashed, .mobile2016] where scheme.isNamed(name) {
            self = scheme
            return
        }
        return nil
    }

    private func isNamed(_ bytes: [UInt8]) -> Bool { name.withUTF8Buffer { unsafe $0.elementsEqual(bytes) } }
}
