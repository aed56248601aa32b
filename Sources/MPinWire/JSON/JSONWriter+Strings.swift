// SPDX-License-Identifier: Apache-2.0

/// Writing of strings, for servers and applications.
extension JSONWriter {
    /// Adds a text.
    package mutating func add(_ field: MemberName, _ text: String) {
        add(field, ByteText(text))
    }

    /// Adds a text if there is one.
    package mutating func add(_ field: MemberName, ifPresent text: String?) {
        if let text { add(field, ByteText(text)) }
    }

    /// Adds an array of texts.
    package mutating func add(_ field: MemberName, _ texts: [String]) {
        var array = ByteText("[")
        for index in texts.indices {
            if index > 0 { array.append(UInt8(ascii: ",")) }
            array.append(JSONWriter.quoted(ByteText(texts[index])).span)
        }
        array.append(UInt8(ascii: "]"))
        add(field, json: array.bytes)
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

    /// A number in decimal digits.
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
