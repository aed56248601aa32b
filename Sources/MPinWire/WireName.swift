/// The name of a member or parameter: a constant, kept as no more than the place where it lies.
///
/// A table of such names is a fifth the size of one of `StaticString`.
@safe package struct WireName: Sendable, ExpressibleByStringLiteral {
    /// Ends with a zero byte, as all constants do.
    nonisolated(unsafe) private let start: UnsafePointer<UInt8>

    package init(stringLiteral constant: StaticString) {
        unsafe start = constant.utf8Start
    }

    package var text: Text { unsafe Text(cString: UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)) }

    /// Whether these are exactly some bytes.
    @inline(never)
    package func matches(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            let byte = unsafe start[index]
            guard byte != 0, byte == bytes[index] else { return false }
        }
        return unsafe start[bytes.count] == 0
    }
}

extension WireName: CustomStringConvertible {
    package var description: String { text.string }
}
