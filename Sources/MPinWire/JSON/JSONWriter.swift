// SPDX-License-Identifier: Apache-2.0

/// Writes one JSON object.
///
/// Messages use it in `encode()`, which returns the body that their sender sends. Their receiver reads it with `decode`.
/// Members are in the order in which they are added, without white space. Characters beyond ASCII are written as UTF-8,
/// or as `\uXXXX` by ``finishInASCII()``.
package struct JSONWriter {
    private var json = ByteText("{")

    package init() {}

    package consuming func finish() -> [UInt8] {
        json.append(UInt8(ascii: "}"))
        return json.bytes
    }

    @inline(never)
    package mutating func add(_ field: MemberName, _ text: ByteText) {
        begin(field)
        write(text)
    }

    @inline(never)
    package mutating func add(_ field: MemberName, ifPresent text: ByteText?) {
        if let text { add(field, text) }
    }

    @inline(never)
    package mutating func add(_ field: MemberName, _ number: Int) {
        begin(field)
        json.append(decimal: number)
    }

    @inline(never)
    package mutating func add(_ field: MemberName, ifPresent number: Int?) {
        if let number { add(field, number) }
    }

    package mutating func add(_ field: MemberName, _ flag: Bool) {
        let word: StaticString = flag ? "true" : "false"
        add(field, json: ByteText(word).bytes)
    }

    /// Adds bytes in hexadecimal.
    package mutating func add(_ field: MemberName, hex value: Span<UInt8>) { add(field, digits: Hex.encode(value)) }

    /// Adds bytes with the digits in which they were received.
    package mutating func add(_ field: MemberName, _ text: HexText) { add(field, digits: text.text) }

    @inline(never)
    private mutating func add(_ field: MemberName, digits: [UInt8]) {
        begin(field)
        quote(digits)
    }

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

    private mutating func begin() { if json.count > 1 { json.append(UInt8(ascii: ",")) } }

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

/// Writing of strings, for servers and applications.
extension JSONWriter {
    package mutating func add(_ field: MemberName, _ text: String) { add(field, ByteText(text)) }

    package mutating func add(_ field: MemberName, ifPresent text: String?) {
        if let text { add(field, ByteText(text)) }
    }

    package mutating func add(_ field: MemberName, _ texts: [String]) {
        add(field, array: texts.map { JSONWriter.quoted($0) })
    }

    package mutating func add(_ field: MemberName, array elements: [[UInt8]]) {
        add(field, json: Array("[".utf8) + elements.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8))
    }

    /// Finishes the object with each character beyond ASCII as `\uXXXX`; only texts have such characters.
    package consuming func finishInASCII() -> [UInt8] {
        var ascii = ByteText()
        for scalar in String(decoding: finish(), as: UTF8.self).unicodeScalars {
            if scalar.isASCII {
                ascii.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                for unit in UTF16.encode(scalar) ?? .init() { JSONText.append(unit: unit, to: &ascii) }
            }
        }
        return ascii.bytes
    }

    /// Encodes a text as JSON, for members that take JSON text.
    package static func quoted(_ text: String) -> [UInt8] { quoted(ByteText(text)) }

    static func decimal(_ number: Int) -> [UInt8] {
        var text = ByteText()
        text.append(decimal: number)
        return text.bytes
    }
}

/// Writing of secrets, for servers.
extension JSONWriter {
    /// Finishes the object with a secret in hexadecimal as its last member. Leaves no other copy of the secret in
    /// memory.
    package consuming func finish(_ field: MemberName, secret: Span<UInt8>) -> [UInt8] {
        var object = finish()
        object.removeLast()
        let name = field.name.text.bytes
        // An array that grows later would leave its old storage in memory.
        object.reserveCapacity(object.count + name.count + 2 * secret.count + 8)
        if object.count > 1 { object.append(UInt8(ascii: ",")) }
        object.append(UInt8(ascii: "\""))
        object += name
        object += [UInt8(ascii: "\""), UInt8(ascii: ":"), UInt8(ascii: "\"")]
        Hex.append(secret, to: &object)
        object.append(UInt8(ascii: "\""))
        object.append(UInt8(ascii: "}"))
        return object
    }
}
