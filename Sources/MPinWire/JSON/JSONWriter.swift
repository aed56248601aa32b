// SPDX-License-Identifier: Apache-2.0

/// Writes one JSON object.
///
/// Members are in the order in which they are added, without white space. Characters beyond ASCII are written as UTF-8,
/// or as `\uXXXX` by ``finishInASCII()``.
package struct JSONWriter {
    private var json = ByteText("{")

    package init() {}

    /// Returns the finished object.
    package consuming func finish() -> [UInt8] {
        json.append(UInt8(ascii: "}"))
        return json.bytes
    }

    /// Adds a text.
    @inline(never)
    package mutating func add(_ field: MemberName, _ text: ByteText) {
        begin(field)
        write(text)
    }

    /// Adds a text if there is one.
    @inline(never)
    package mutating func add(_ field: MemberName, ifPresent text: ByteText?) {
        if let text { add(field, text) }
    }

    /// Adds a whole number.
    @inline(never)
    package mutating func add(_ field: MemberName, _ number: Int) {
        begin(field)
        json.append(decimal: number)
    }

    /// Adds a whole number if there is one.
    @inline(never)
    package mutating func add(_ field: MemberName, ifPresent number: Int?) {
        if let number { add(field, number) }
    }

    /// Adds true or false.
    package mutating func add(_ field: MemberName, _ flag: Bool) {
        let word: StaticString = flag ? "true" : "false"
        add(field, json: ByteText(word).bytes)
    }

    /// Adds bytes in hexadecimal.
    package mutating func add(_ field: MemberName, hex value: Span<UInt8>) {
        add(field, digits: Hex.encode(value))
    }

    /// Adds bytes with the digits in which they were received.
    package mutating func add(_ field: MemberName, _ text: HexText) {
        add(field, digits: text.text)
    }

    @inline(never)
    private mutating func add(_ field: MemberName, digits: [UInt8]) {
        begin(field)
        quote(digits)
    }

    /// Adds a value that is already JSON text.
    @inline(never)
    package mutating func add(_ field: MemberName, json value: [UInt8]) {
        begin(field)
        json.append(value.span)
    }

    /// Encodes a text as JSON, for members that take JSON text.
    package static func quoted(_ text: ByteText) -> [UInt8] {
        var writer = JSONWriter()
        writer.json = ByteText()
        writer.write(text)
        return writer.json.bytes
    }

    private mutating func begin() {
        if json.count > 1 { json.append(UInt8(ascii: ",")) }
    }

    @inline(never)
    private mutating func begin(_ field: MemberName) {
        begin()
        quote(field.name.text.bytes)
        json.append(UInt8(ascii: ":"))
    }

    /// Writes a text that needs no escapes.
    private mutating func quote(_ plain: [UInt8]) {
        json.append(UInt8(ascii: "\""))
        json.append(plain.span)
        json.append(UInt8(ascii: "\""))
    }

    @inline(never)
    mutating func write(_ text: ByteText) {
        json.append(UInt8(ascii: "\""))
        for byte in text.bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                json.append(UInt8(ascii: "\\"))
                json.append(byte)
            case 0..<0x20: JSONText.append(unit: UInt16(byte), to: &json)
            default: json.append(byte)
            }
        }
        json.append(UInt8(ascii: "\""))
    }
}
