// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
internal import MPinServerRoles
package import MPinServerStorage

/// The sealing key in a form that a person can write down: 14 groups of four of Crockford's symbols. The last 24 of the
/// 280 bits are a checksum.
package struct RecoveryKey: Sendable {
    /// The number of symbols, without hyphens.
    package static let symbolCount = 56
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// The text that is shown once. It is in ordinary memory, because it is written to a terminal and the process then
    /// ends.
    package let text: String
    package let identifier: String

    init(_ key: SealKey) throws(ServerError) {
        do throws(CryptoError) {
            let check = try key.check()
            var symbols: [UInt8] = []
            symbols.reserveCapacity(2 * Self.symbolCount)
            key.withBytes { bytes in Self.append(bytes, check, to: &symbols) }
            text = String(decoding: symbols, as: UTF8.self)
        } catch { throw ServerError(.internalFault, "cannot compute the recovery key: \(error)") }
        identifier = try key.identifier
    }

    /// The symbols of these bytes, in groups of four. Remaining bits at the end are dropped.
    static func append(_ bytes: Span<UInt8>, _ rest: [UInt8], to symbols: inout [UInt8]) {
        let bitCount = 8 * (bytes.count + rest.count)
        for number in 0..<bitCount / 5 {
            var value = 0
            for place in 5 * number..<5 * number + 5 {
                let index = place / 8
                let byte = index < bytes.count ? bytes[index] : rest[index - bytes.count]
                value = value << 1 | Int(byte >> UInt8(7 - place % 8) & 1)
            }
            if number > 0, number % 4 == 0 { symbols.append(UInt8(ascii: "-")) }
            symbols.append(alphabet[value])
        }
    }

    /// The key that a person has typed or kept in a file.
    static func read(_ input: RecoveryKeyInput) throws(ServerError) -> SealKey {
        let typed = try input()
        do { return try decode(typed) } catch {
            throw error as? ServerError ?? ServerError(.internalFault, "cannot allocate memory for a secret")
        }
    }

    private static func decode(_ typed: borrowing SecretBytes) throws -> SealKey {
        var bits = try SecretBytes(capacity: SealKey.size + SealKey.checkSize)
        var count = 0
        var isGood = true
        typed.withBytes { typed in
            bits.withMutableBytes(count: SealKey.size + SealKey.checkSize) { target in
                for index in typed.indices where !isBlank(typed[index]) {
                    guard let value = value(of: typed[index]) else {
                        isGood = false
                        return
                    }
                    for place in 0..<5 where count < symbolCount && value & (16 >> place) != 0 {
                        target[(5 * count + place) / 8] |= 0x80 >> UInt8((5 * count + place) % 8)
                    }
                    count += 1
                }
            }
        }
        guard isGood, count == symbolCount else {
            throw ServerError(
                .badInput,
                isGood
                    ? "a recovery key has \(symbolCount) symbols, not \(count)"
                    : "a recovery key contains only letters and digits, and no U")
        }
        var key = try SecretBytes(capacity: SealKey.size)
        var check: [UInt8] = []
        bits.withBytes { bits in
            key.withMutableBytes(count: SealKey.size) { target in
                for index in target.indices { target[index] = bits[index] }
            }
            for index in SealKey.size..<bits.count { check.append(bits[index]) }
        }
        let found = try SealKey(key)
        guard try found.check() == check else {
            throw ServerError(
                .badInput, "this is not a recovery key: a symbol is wrong, or two are swapped",
                hint: "Compare it with your written copy, group by group.")
        }
        return found
    }

    /// Whether a typed byte is none of the symbols: it separates them.
    package static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D, 0x2D].contains(byte) }

    private static func value(of byte: UInt8) -> Int? {
        let upper = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte - 32 : byte
        switch upper {
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        case UInt8(ascii: "O"): return 0
        default: return alphabet.firstIndex(of: upper)
        }
    }
}

/// Reads the text of a recovery key, which a person types or has kept in a file.
package typealias RecoveryKeyInput = @Sendable () throws(ServerError) -> SecretBytes

/// Shows the recovery key of a sealing key before it is used: without it, a lost TPM is a lost server. An error ends the
/// command with nothing changed.
package typealias RecoveryKeyDisplay = @Sendable (RecoveryKey) throws(ServerError) -> Void
