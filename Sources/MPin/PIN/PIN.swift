// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
internal import MPinWire

/// A PIN, or a longer secret instead of one, from the keyboard to its last use.
///
/// It cannot be copied or printed, and its bytes are wiped when it is destroyed. See ``weakness()`` for PINs that are
/// too easy to guess.
public struct PIN: ~Copyable, Sendable {
    package private(set) var bytes: SecretBytes

    /// The length of the longest allowed secret, in bytes.
    public static let longest = 128

    /// The allowed numbers of digits of a PIN.
    public static let digits = 4...6

    /// Makes an empty PIN with room for the longest one.
    ///
    /// - Throws: CRYPTO_ERROR if there is no memory for secrets.
    public init() throws(MPinError) {
        do { bytes = try SecretBytes(capacity: PIN.longest) } catch { throw MPinError(error) }
    }

    /// Returns an empty PIN; nil if there is no memory for secrets.
    @inline(never)
    package static func empty() -> PIN? {
        do throws(MPinError) { return try PIN() } catch { return nil }
    }

    /// Copies a PIN from the caller's bytes, which the caller has to wipe.
    ///
    /// - Parameter source: the bytes of the PIN.
    /// - Throws: CRYPTO_ERROR if there is no memory; PIN_INPUT_CANCELED if the source is longer than ``longest``.
    public init(copying source: Span<UInt8>) throws(MPinError) {
        guard source.count <= PIN.longest else { throw MPinError(.pinInputCanceled, "The PIN is too long.") }
        try self.init()
        bytes.withMutableBytes(count: source.count) { target in
            for index in source.indices { target[index] = source[index] }
        }
    }

    /// Makes a PIN from its digits as numbers, for example from a keypad. The caller has to wipe those.
    ///
    /// - Parameter digits: numbers from 0 to 9.
    /// - Throws: CRYPTO_ERROR if there is no memory; PIN_INPUT_CANCELED for numbers above 9, or too many of them.
    public init(digits: some Collection<UInt8>) throws(MPinError) {
        guard digits.count <= PIN.longest else {
            throw MPinError(.pinInputCanceled, "A PIN may have at most 128 digits.")
        }
        guard digits.allSatisfy({ $0 < 10 }) else {
            throw MPinError(.pinInputCanceled, "A PIN may contain only the digits 0 to 9.")
        }
        try self.init(digits, plus: UInt8(ascii: "0"))
    }

    private init(_ source: some Collection<UInt8>, plus offset: UInt8) throws(MPinError) {
        try self.init()
        bytes.withMutableBytes(count: source.count) { target in
            var position = 0
            for byte in source where position < target.count {
                target[position] = byte &+ offset
                position += 1
            }
        }
    }

    /// The number of bytes.
    public var count: Int { bytes.count }

    /// Whether the PIN has no bytes.
    public var isEmpty: Bool { bytes.count == 0 }

    /// Writes the PIN in place.
    ///
    /// - Parameters:
    ///   - count: its length in bytes, at most ``longest``.
    ///   - body: writes that many bytes.
    /// - Throws: what `body` throws.
    public mutating func fill<E: Error>(count: Int, _ body: (inout MutableSpan<UInt8>) throws(E) -> Void) throws(E) {
        try bytes.withMutableBytes(count: count, body)
    }

    /// Lends the bytes for the duration of a call.
    package borrowing func withBytes<R>(_ body: (Span<UInt8>) -> R) -> R { bytes.withBytes(body) }

    /// Whether the PIN consists only of ASCII digits and has an allowed number of them.
    ///
    /// - Parameter allowed: the allowed numbers of digits.
    public borrowing func isDigits(count allowed: ClosedRange<Int>) -> Bool {
        guard allowed.contains(bytes.count) else { return false }
        return bytes.withBytes { digits in
            var all = true
            for index in digits.indices { all = (digits[index] &- UInt8(ascii: "0") < 10) && all }
            return all
        }
    }

    /// Compares two PINs, in a time that depends only on their lengths.
    ///
    /// - Parameter other: the PIN to compare with.
    public borrowing func equals(_ other: borrowing PIN) -> Bool { bytes.equals(other.bytes) }

    /// Returns a copy with the same bytes.
    package borrowing func copy() throws(MPinError) -> PIN {
        var twin = try PIN()
        do throws(CryptoError) { twin.bytes = try bytes.copy() } catch { throw MPinError(error) }
        return twin
    }

    /// Overwrites the PIN and makes it empty.
    public mutating func wipe() { bytes.wipe() }
}

extension PIN {
    /// Copies a PIN from a text, such as `PIN(copying: field.text.utf8)`.
    ///
    /// The text itself stays in memory for as long as it is referenced, and nothing wipes it. If possible, write the
    /// PIN in place with ``fill(count:_:)``, or pass its digits to ``init(digits:)``.
    ///
    /// - Parameter text: the text's UTF-8.
    /// - Throws: CRYPTO_ERROR if there is no memory; PIN_INPUT_CANCELED if the text is longer than ``longest``.
    public init(copying text: String.UTF8View) throws(MPinError) {
        guard text.count <= PIN.longest else { throw MPinError(.pinInputCanceled, "The PIN is too long.") }
        try self.init(text, plus: 0)
    }
}
