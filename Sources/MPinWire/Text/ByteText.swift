/// Text as its bytes in UTF-8: what a login works on in place of `String`.
///
/// Two are equal when their bytes are, without any normalization, so that two identities that only look alike differ.
/// `String` would bring the tables of Unicode and several storage forms into a module that has to be small; it stands
/// only where applications give and take texts.
package struct ByteText: Sendable, Equatable, ExpressibleByStringLiteral {
    package private(set) var bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package init() {
        bytes = []
    }

    /// The bytes of a constant.
    @inline(__always)
    package init(_ constant: StaticString) {
        self = Constant(constant).text
    }

    @inline(__always)
    package init(stringLiteral constant: StaticString) {
        self.init(constant)
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
        unsafe append(cString: start)
    }

    /// The bytes with an end, as C wants them.
    @inline(never)
    package var cString: [CChar] {
        unsafe [CChar](unsafeUninitializedCapacity: bytes.count + 1) { text, count in
            for byte in bytes {
                unsafe text[count] = CChar(bitPattern: byte)
                count += 1
            }
            unsafe text[count] = 0
            count += 1
        }
    }

    package var count: Int { bytes.count }

    package var isEmpty: Bool { bytes.isEmpty }

    @inline(never)
    package static func == (left: ByteText, right: ByteText) -> Bool {
        left.bytes.span.hasSameBytes(as: right.bytes.span)
    }

    /// Whether these are exactly the bytes of a constant.
    package func matches(_ constant: StaticString) -> Bool { bytes.span.matches(constant) }

    @inline(never)
    package mutating func append(_ source: Span<UInt8>) {
        for index in source.indices { append(source[index]) }
    }

    @inline(__always)
    package mutating func append(_ constant: StaticString) {
        unsafe append(cString: Constant(constant).cString)
    }

    @inline(never)
    private mutating func append(cString start: UnsafePointer<CChar>) {
        var next = unsafe start
        while unsafe next.pointee != 0 {
            append(UInt8(bitPattern: unsafe next.pointee))
            unsafe next += 1
        }
    }

    package mutating func append(contentsOf other: ByteText) {
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
    package static func + (left: ByteText, right: ByteText) -> ByteText {
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
    @inline(__always)
    package func matches(_ constant: StaticString) -> Bool { Constant(constant).matches(self) }
}

extension StaticString {
    /// Whether these are exactly some bytes.
    package func matches(_ bytes: [UInt8]) -> Bool { bytes.span.matches(self) }
}
