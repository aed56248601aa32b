// SPDX-License-Identifier: Apache-2.0

/// A text of the program itself: a `StaticString` that stores only its address.
///
/// It takes one register instead of three, and a table of constants is a fifth of the size.
@safe package struct Constant: Sendable, Equatable, ExpressibleByStringLiteral {
    /// Ends with a zero byte, as all constants do.
    nonisolated(unsafe) private let start: UnsafePointer<UInt8>

    package init(_ constant: StaticString) { unsafe start = constant.utf8Start }

    /// - Parameter start: bytes that stay in memory, the last of which is 0.
    init(start: UnsafePointer<UInt8>) { unsafe self.start = start }

    package init(stringLiteral constant: StaticString) { self.init(constant) }

    @inline(never)
    package var text: ByteText { unsafe ByteText(cString: cString) }

    package var cString: UnsafePointer<CChar> { unsafe UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self) }

    package func contains(_ byte: UInt8) -> Bool {
        var next = unsafe start
        while unsafe next.pointee != 0, unsafe next.pointee != byte { unsafe next += 1 }
        return unsafe next.pointee != 0
    }

    package static func == (left: Constant, right: Constant) -> Bool { left.matches(right.text.bytes.span) }

    /// Whether the text is equal to some bytes.
    @inline(never)
    package func matches(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            let byte = unsafe start[index]
            guard byte != 0, byte == bytes[index] else { return false }
        }
        return unsafe start[bytes.count] == 0
    }
}

extension Constant: CustomStringConvertible { package var description: String { text.string } }

#if !hasFeature(Embedded)
extension Constant {
    /// A text of another process of ours. The copy stays in memory until this process ends.
    package init(kept text: ByteText) {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: text.count + 1)
        for (index, byte) in text.bytes.enumerated() { unsafe copy[index] = byte }
        unsafe copy[text.count] = 0
        unsafe self.init(start: copy)
    }
}
#endif
