// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// The arguments of a program to start.
struct ProgramArguments {
    private let texts: [[CChar]]

    init(_ words: [ByteText]) { texts = words.map(\.cString) }

    /// Calls the body with pointers to all of them and a final null pointer.
    func withPointers(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Int32) -> Int32 {
        var pointers: [UnsafePointer<CChar>?] = unsafe []
        return unsafe Self.collect(texts[...], &pointers, body)
    }

    /// The texts outlive the call, and unchanged arrays do not move.
    private static func collect(
        _ texts: ArraySlice<[CChar]>, _ pointers: inout [UnsafePointer<CChar>?],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Int32
    ) -> Int32 {
        guard let first = texts.first else {
            return unsafe (pointers + [nil]).withUnsafeBufferPointer { unsafe body($0.baseAddress) }
        }
        return unsafe first.withUnsafeBufferPointer { text in
            unsafe pointers.append(text.baseAddress)
            return unsafe collect(texts.dropFirst(), &pointers, body)
        }
    }
}
