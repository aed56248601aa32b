// SPDX-License-Identifier: Apache-2.0
package import MPinWire

/// The part of a record that a registration with a device key has, without the private half of the key. A record has
/// all of it or nothing.
package struct StoredDevice {
    /// The public half of the device key, 65 bytes.
    package let key: HexText
    /// What a TPM needs to use the private half that it has; nil if the record has that half.
    package let tpmKey: HexText?
    /// The public key of the registration's server, 65 bytes.
    package let serverKey: HexText
    /// How the registration got ``serverKey``.
    package let source: ServerKeySource

    package init(key: HexText, tpmKey: HexText?, serverKey: HexText, source: ServerKeySource) {
        (self.key, self.tpmKey, self.serverKey, self.source) = (key, tpmKey, serverKey, source)
    }

    private static let members: [MemberName] = [.deviceKey, .deviceSecret, .tpmKey, .serverKey, .keySource]

    /// Reads the members of a record; nil if it has none of them.
    ///
    /// - Parameter secret: 32 bytes that receive the private half of the key, if the record has it.
    static func decode(
        _ object: JSONObject, in file: Span<UInt8>, secret: inout MutableSpan<UInt8>
    ) throws(WireError) -> StoredDevice? {
        guard members.contains(where: { object.contains($0, in: file) }) else { return nil }
        let size = DeviceKeyFormat.publicKey...DeviceKeyFormat.publicKey
        let source: ByteText = try object.text(.keySource, in: file)
        guard let source = ServerKeySource(name: source) else { throw .invalid(.keySource) }
        let device = StoredDevice(
            key: try object.hexText(.deviceKey, count: size, in: file),
            tpmKey: try object.optionalHexText(.tpmKey, count: 1...TPMKey.longest, in: file),
            serverKey: try object.hexText(.serverKey, count: size, in: file), source: source)
        if device.tpmKey == nil {
            try object.secret(.deviceSecret, in: file, into: &secret)
        } else if object.contains(.deviceSecret, in: file) {
            throw .invalid(.deviceSecret)
        }
        return device
    }

    func encode(to writer: inout JSONWriter) {
        writer.add(.deviceKey, key)
        if let tpmKey { writer.add(.tpmKey, tpmKey) }
        writer.add(.serverKey, serverKey)
        writer.add(.keySource, source.name.text)
    }

    func add(to checksum: inout Checksum, secret: Span<UInt8>?) {
        checksum.add(key.text.span)
        if let tpmKey { checksum.add(tpmKey.text.span) } else if let secret { checksum.add(secret) }
        checksum.add(serverKey.text.span)
        checksum.add(source.name.text)
    }
}
