internal import MPinWire

/// Tells a record that was damaged from one that was not: FNV-1a with 32 bits, which no change of a single byte
/// escapes.
///
/// Against accidents only: a process that can write the record can write the checksum too, and one that can read it can
/// read the token.
struct Checksum {
    private var value: UInt32 = 0x811c_9dc5

    /// Adds bytes.
    @inline(never)
    mutating func add(_ bytes: Span<UInt8>) {
        for index in bytes.indices { add(bytes[index]) }
    }

    /// Adds a text and a terminator, so that bytes cannot move from one text to the next unnoticed.
    @inline(never)
    mutating func add(_ text: ByteText?) {
        if let text { add(text.bytes.span) }
        add(0xff)
    }

    mutating func add(_ byte: UInt8) {
        value = (value ^ UInt32(byte)) &* 0x0100_0193
    }

    var number: Int { Int(value) }
}
