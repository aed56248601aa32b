/// Tells a record that was damaged from one that was not: FNV-1a with 64 bits, in hexadecimal.
///
/// Against accidents only. Whoever can write a record can write this as well, and whoever can read it can read the token.
struct Checksum {
    private var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Takes a value in; where it ends counts too.
    @inline(never)
    mutating func add(_ bytes: Span<UInt8>) {
        for index in bytes.indices { add(bytes[index]) }
        add(UInt8(truncatingIfNeeded: bytes.count))
        add(UInt8(truncatingIfNeeded: bytes.count >> 8))
    }

    mutating func add(_ text: Text?) {
        let bytes = text?.bytes ?? []
        add(bytes.span)
    }

    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }

    var text: Text {
        var bytes: [UInt8] = []
        for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * shift))) }
        return Text(Hex.encode(bytes.span))
    }
}
