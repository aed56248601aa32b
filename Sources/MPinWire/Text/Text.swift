/// Text as its bytes in UTF-8: what a login works on in place of `String`.
///
/// Two are equal when their bytes are, without any normalisation, so that two identities that only look alike differ.
/// `String` would bring the tables of Unicode and several storage forms into a module that has to be small; it stands
/// only where applications give and take texts.
package struct Text: Sendable, Equatable, ExpressibleByStringLiteral {
    package private(set) var bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package init() {
        bytes = []
    }

    /// The bytes of a constant.
    @inline(never)
    package init(_ constant: StaticString) {
        bytes = []
        append(constant)
    }

    package init(stringLiteral constant: StaticString) {
        self.init(constant)
    }

    /// The bytes of what an application gave.
    package init(_ string: String) {
        bytes = Array(string.utf8)
    }

    /// Part of a longer text.
    @inline(never)
    package init(_ source: Span<UInt8>) {
        bytes = []
        append(source)
    }

    /// The bytes of a C string, which need not be UTF-8.
    @inline(never)
    package init(cString start: UnsafePointer<CChar>) {
        bytes = []
        var next = unsafe start
        while unsafe next.pointee != 0 {
            append(UInt8(bitPattern: unsafe next.pointee))
            unsafe next += 1
        }
    }

    /// The same for an application.
    package var string: String { String(decoding: bytes, as: UTF8.self) }

    /// The bytes with an end, as C wants them.
    @inline(never)
    package var cString: [CChar] {
        var text: [CChar] = []
        text.reserveCapacity(bytes.count + 1)
        for byte in bytes { text.append(CChar(bitPattern: byte)) }
        text.append(0)
        return text
    }

    package var count: Int { bytes.count }

    package var isEmpty: Bool { bytes.isEmpty }

    @inline(never)
    package static func == (left: Text, right: Text) -> Bool { left.bytes.span.hasSameBytes(as: right.bytes.span) }

    /// Whether these are exactly the bytes of a constant.
    package func matches(_ constant: StaticString) -> Bool { bytes.span.matches(constant) }

    @inline(never)
    package mutating func append(_ source: Span<UInt8>) {
        for index in source.indices { append(source[index]) }
    }

    @inline(never)
    package mutating func append(_ constant: StaticString) {
        let source = unsafe UnsafeBufferPointer(start: constant.utf8Start, count: constant.utf8CodeUnitCount)
        append(unsafe source.span)
    }

    package mutating func append(contentsOf other: Text) {
        append(other.bytes.span)
    }

    @inline(never)
    package mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Appends a whole number in decimal digits.
    @inline(never)
    package mutating func append(decimal number: Int) {
        var rest = number.magnitude
        var unit: UInt = 1
        while rest / unit >= 10 { unit *= 10 }
        if number < 0 { append(UInt8(ascii: "-")) }
        while unit > 0 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / unit))
            rest %= unit
            unit /= 10
        }
    }

    @inline(never)
    package static func + (left: Text, right: Text) -> Text {
        var sum = left
        sum.append(contentsOf: right)
        return sum
    }
}

extension Span<UInt8> {
    /// Whether both hold the same bytes. Not for secrets: the time tells where they differ.
    @inline(never)
    package func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }

    /// Whether these are exactly the bytes of a constant.
    @inline(never)
    package func matches(_ constant: StaticString) -> Bool {
        let other = unsafe UnsafeBufferPointer(start: constant.utf8Start, count: constant.utf8CodeUnitCount)
        return hasSameBytes(as: unsafe other.span)
    }
}

extension StaticString {
    /// Whether these are exactly some bytes.
    package func matches(_ bytes: [UInt8]) -> Bool { bytes.span.matches(self) }
}
