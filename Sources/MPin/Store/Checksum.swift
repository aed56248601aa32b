// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// Detects damaged records: FNV-1a with 32 bits, which detects every change of a single byte.
///
/// It protects only against accidents: a process that can write the record can write the checksum too, and one that can
/// read the record can read the token.
struct Checksum {
    private var value: UInt32 = 0x811c_9dc5

    /// Adds bytes.
    @inline(never)
    mutating func add(_ bytes: Span<UInt8>) {
        for index in bytes.indices { add(bytes[index]) }
    }

    /// Adds a text and a terminator, so that bytes moved from one text to the next are detected.
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
