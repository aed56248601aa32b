internal import MPinWire

/// Tells a record that was damaged from one that was not: FNV-1a with 32 bits, which no change of a single byte escapes.
///
/// Against accidents only. Whoever can write a record can write this as well, and whoever can read it can read the token.
struct Checksum {
    private var value: UInt32 = 0x811c_9dc5

    /// Takes a value in.
    @inline(never)
    mutating func add(_ bytes: Span<UInt8>) {
        for index in bytes.indices { add(bytes[index]) }
    }

    /// Takes a text in, and its end, so that nothing wanders from one to the next.
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
