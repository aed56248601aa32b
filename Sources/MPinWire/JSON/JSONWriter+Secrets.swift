// SPDX-License-Identifier: Apache-2.0

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
