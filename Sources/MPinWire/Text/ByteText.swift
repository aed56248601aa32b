// SPDX-License-Identifier: Apache-2.0

/// Text as its bytes in UTF-8. Logins use it instead of `String`.
///
/// Two are equal if their bytes are equal, without any normalization, so identities that only look alike differ.
/// `String` would add Unicode tables and several storage forms to a module that has to be small, so it is used only
/// where applications pass and receive texts.
package struct ByteText: Sendable, Equatable, ExpressibleByStringLiteral {
    package private(set) var bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package init() { bytes = [] }

    @inline(__always)
    package init(_ constant: StaticString) {
        self = Constant(constant).text
    }

    @inline(__always)
    package init(stringLiteral constant: StaticString) {
        self.init(constant)
    }

    /// A copy of a part of a longer text.
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

    /// The bytes with a terminating NUL, for C.
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

    package mutating func append(contentsOf other: ByteText) { append(other.bytes.span) }

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
    /// Whether both contain the same bytes. Not for secrets: the time reveals where they differ.
    @inline(never)
    package func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }

    @inline(__always)
    package func matches(_ constant: StaticString) -> Bool { Constant(constant).matches(self) }
}

extension StaticString {
    /// Whether the bytes are equal to some bytes.
    package func matches(_ bytes: [UInt8]) -> Bool { bytes.span.matches(self) }
}

extension ByteText {
    /// The parts between separators of one byte, without empty parts.
    @inline(never)
    package func parts(between separators: Constant) -> [ByteText] {
        var parts: [ByteText] = []
        var part = ByteText()
        for byte in bytes {
            if !separators.contains(byte) {
                part.append(byte)
            } else if !part.isEmpty {
                parts.append(part)
                part = ByteText()
            }
        }
        if !part.isEmpty { parts.append(part) }
        return parts
    }
}

extension ByteText {
    /// Makes one from the UTF-8 of a string.
    package init(_ string: String) { self.init(Array(string.utf8)) }

    package var string: String { String(decoding: bytes, as: UTF8.self) }
}
