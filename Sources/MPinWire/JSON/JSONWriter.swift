/// Writes one JSON object.
///
/// Members stand in the order in which they are added, without white space; characters beyond ASCII go out as UTF-8,
/// or as `\uXXXX` where ``init(escapesNonASCII:)`` asks for it.
package struct JSONWriter {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]
    private let escapesNonASCII: Bool

    package init(escapesNonASCII: Bool = false) {
        self.escapesNonASCII = escapesNonASCII
    }

    /// The finished object.
    package consuming func finish() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Adds a text.
    @inline(never)
    package mutating func add(_ field: Field, _ text: String) {
        begin(field)
        write(text)
    }

    /// Adds a text if there is one.
    @inline(never)
    package mutating func add(_ field: Field, ifPresent text: String?) {
        if let text { add(field, text) }
    }

    /// Adds a whole number.
    @inline(never)
    package mutating func add(_ field: Field, _ number: Int) {
        begin(field)
        bytes.append(contentsOf: Self.decimal(number))
    }

    /// Adds true or false.
    @inline(never)
    package mutating func add(_ field: Field, _ flag: Bool) {
        begin(field)
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    /// Adds bytes in hexadecimal.
    @inline(never)
    package mutating func add(_ field: Field, hex value: Span<UInt8>) {
        begin(field)
        bytes.append(UInt8(ascii: "\""))
        Hex.append(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds bytes with the digits they were received in.
    @inline(never)
    package mutating func add(_ field: Field, _ text: HexText) {
        begin(field)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: text.text)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds an array of texts.
    package mutating func add(_ field: Field, _ texts: [String]) {
        begin(field)
        bytes.append(UInt8(ascii: "["))
        for index in texts.indices {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(texts[index])
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Adds a value that is JSON text already.
    package mutating func add(_ field: Field, json: [UInt8]) {
        begin(field)
        bytes.append(contentsOf: json)
    }

    /// Adds bytes in hexadecimal under a name that is data: ASCII without anything to escape.
    mutating func add(plainName: [UInt8], hex value: Span<UInt8>) {
        begin()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: plainName)
        bytes.append(contentsOf: "\":\"".utf8)
        Hex.append(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// A text as JSON, for members that are JSON text already.
    package static func quoted(_ text: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.bytes = []
        writer.write(text)
        return writer.bytes
    }

    /// A number in decimal digits.
    static func decimal(_ number: Int) -> [UInt8] {
        var digits: [UInt8] = []
        var rest = number.magnitude
        repeat {
            digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        if number < 0 { digits.append(UInt8(ascii: "-")) }
        digits.reverse()
        return digits
    }

    private mutating func begin() {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    }

    @inline(never)
    private mutating func begin(_ field: Field) {
        begin()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: field.name.utf8)
        bytes.append(contentsOf: "\":".utf8)
    }

    @inline(never)
    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: bytes.append(contentsOf: "\\\"".utf8)
            case 0x5C: bytes.append(contentsOf: "\\\\".utf8)
            case 0..<0x20: escape(UInt16(truncatingIfNeeded: scalar.value))
            case 0x80... where escapesNonASCII: for unit in UTF16.encode(scalar) ?? .init() { escape(unit) }
            default: for byte in UTF8.encode(scalar) ?? .init() { bytes.append(byte) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ unit: UInt16) {
        bytes.append(contentsOf: "\\u".utf8)
        Hex.append([UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)].span, to: &bytes)
    }
}
