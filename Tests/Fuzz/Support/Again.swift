// SPDX-License-Identifier: Apache-2.0
import MPinWire

/// Reads a message; if that is possible, writes it, reads that, and writes it once more, which must come out the same.
func again<Message>(
    _ body: [UInt8], _ decode: ([UInt8]) throws(WireError) -> Message, _ encode: (Message) -> [UInt8]
) {
    guard let message = try? decode(body) else { return }
    let written = encode(message)
    // Escapes make a text longer, perhaps too long to be read.
    guard written.count <= 65_536 else { return }
    guard let second = try? decode(written) else { return demand(false) }
    demand(encode(second) == written)
}

/// The bytes the fuzzer gives, in an array of their own, so that reading beyond them is noticed.
func input(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    guard let start = unsafe start else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: start, count: count))
}

/// Ends the process, which the fuzzer takes for a find.
func demand(_ isTrue: Bool) {
    if !isTrue { fatalError("a property does not hold") }
}
