package import MPinCrypto
internal import MPinWire

/// A PIN, or a longer secret in its place, from the keyboard to its last use.
///
/// It cannot be copied or printed; its bytes are wiped when it goes. See ``weakness()`` for what a new PIN must not be.
public struct PIN: ~Copyable {
    package private(set) var bytes: SecretBytes

    /// The longest secret that is taken, in bytes.
    public static let longest = 128

    /// How many digits a PIN may have.
    public static let digits = 4...6

    /// An empty PIN with room for the longest one.
    ///
    /// - Throws: CRYPTO_ERROR when there is no memory for secrets.
    public init() throws(MPinError) {
        do { bytes = try SecretBytes(capacity: PIN.longest) } catch { throw MPinError(error) }
    }

    /// An empty PIN; nil when there is no memory for secrets.
    @inline(never)
    package static func empty() -> PIN? {
        do throws(MPinError) { return try PIN() } catch { return nil }
    }

    /// A PIN from bytes of the caller's, who has to wipe them.
    ///
    /// - Parameter source: the bytes of the PIN.
    /// - Throws: CRYPTO_ERROR when there is no memory; PIN_INPUT_CANCELED when it is longer than ``longest``.
    public init(copying source: Span<UInt8>) throws(MPinError) {
        guard source.count <= PIN.longest else { throw MPinError(.pinInputCanceled, "The PIN is too long.") }
        try self.init()
        bytes.withMutableBytes(count: source.count) { target in
            for index in source.indices { target[index] = source[index] }
        }
    }

    /// A PIN from its digits as numbers, such as a keypad gives them; wiping those is the caller's part.
    ///
    /// - Parameter digits: numbers from 0 to 9.
    /// - Throws: CRYPTO_ERROR when there is no memory; PIN_INPUT_CANCELED for other numbers, or too many.
    public init(digits: some Collection<UInt8>) throws(MPinError) {
        guard digits.count <= PIN.longest, digits.allSatisfy({ $0 < 10 }) else {
            throw MPinError(.pinInputCanceled, "A PIN may contain only the digits 0 to 9.")
        }
        try self.init()
        bytes.withMutableBytes(count: digits.count) { target in
            var position = 0
            for digit in digits where position < target.count {
                target[position] = UInt8(ascii: "0") + digit
                position += 1
            }
        }
    }

    /// The number of bytes.
    public var count: Int { bytes.count }

    /// Whether nothing was typed.
    public var isEmpty: Bool { bytes.count == 0 }

    /// Writes the PIN in place.
    ///
    /// - Parameters:
    ///   - count: its length in bytes, at most ``longest``.
    ///   - body: writes that many bytes.
    /// - Throws: what `body` throws.
    public mutating func fill<E: Error>(
        count: Int, _ body: (inout MutableSpan<UInt8>) throws(E) -> Void
    ) throws(E) {
        try bytes.withMutableBytes(count: count, body)
    }

    /// Lends the bytes for the time of a call.
    package borrowing func withBytes<R>(_ body: (Span<UInt8>) -> R) -> R { bytes.withBytes(body) }

    /// Whether it consists of ASCII digits alone and has an allowed number of them.
    ///
    /// - Parameter allowed: how many digits are allowed.
    public borrowing func isDigits(count allowed: ClosedRange<Int>) -> Bool {
        guard allowed.contains(bytes.count) else { return false }
        return bytes.withBytes { digits in
            var all = true
            for index in digits.indices { all = (digits[index] &- UInt8(ascii: "0") < 10) && all }
            return all
        }
    }

    /// Whether both are the same, in a time that depends on their lengths alone.
    ///
    /// - Parameter other: the PIN to compare with.
    public borrowing func equals(_ other: borrowing PIN) -> Bool {
        bytes.equals(other.bytes)
    }

    /// A second PIN with the same bytes.
    package borrowing func copy() throws(MPinError) -> PIN {
        var twin = try PIN()
        bytes.withBytes { source in
            twin.bytes.withMutableBytes(count: source.count) { target in
                for index in source.indices { target[index] = source[index] }
            }
        }
        return twin
    }

    /// Overwrites it and makes it empty.
    public mutating func wipe() {
        bytes.wipe()
    }
}
