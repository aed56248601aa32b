// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
package import MPinWire

/// A registration as a machine stores it, without its secrets.
///
/// The file is a JSON object with `version` and an array `users`. The token (hexadecimal, 65 bytes) and the private
/// half of the device key (32 bytes) are passed through buffers of the caller. It is a class because it is passed on as
/// a whole and expensive to copy.
package final class StoredUser {
    package let identity: ByteText
    package var backend: ByteText
    /// The M-Pin ID as the server wrote it; nil until there is one.
    package var mpinID: HexText?
    /// The Milagro name of the state.
    package var state: ByteText
    package let deviceName: ByteText
    package var regOTT: ByteText?
    package var pinScheme: ByteText?
    package var pinLength: Int?
    /// The path of the server's protocol; nil for the usual one.
    package var rpsPrefix: ByteText?
    /// The user ID of the account; nil in an application's own store.
    package var owner: Int?
    /// The part for the programs that enroll, as JSON; a login keeps it unchanged.
    package var notes: [UInt8]?
    /// Whether the record had a token when it was read.
    package private(set) var hasToken = false
    /// What a registration with a device key has in addition; nil for a Milagro registration.
    package var device: StoredDevice?

    /// The version of the file. Files of other versions are refused.
    package static let version = 4

    package init(
        identity: ByteText, deviceName: ByteText = ByteText(), backend: ByteText = ByteText(), mpinID: HexText? = nil,
        state: ByteText = ByteText()
    ) {
        (self.identity, self.deviceName, self.backend, self.mpinID) = (identity, deviceName, backend, mpinID)
        self.state = state
    }

    /// The positions of the records in a file.
    ///
    /// - Throws: ``WireError`` if the file has another format or version.
    package static func records(in file: Span<UInt8>) throws(WireError) -> [JSONValue] {
        try StoredFile.records(.users, version: version, in: file)
    }

    /// - Parameters:
    ///   - token: 65 bytes that receive the token, if there is one; see ``hasToken``.
    ///   - deviceSecret: 32 bytes that receive the private half of the device key, if the record has it.
    package static func decode(
        _ file: Span<UInt8>, at record: JSONValue, token: inout MutableSpan<UInt8>,
        deviceSecret: inout MutableSpan<UInt8>
    ) throws(WireError) -> StoredUser {
        let object = try JSONObject(file, range: record.range)
        let user = StoredUser(
            identity: try object.text(.identity, in: file),
            deviceName: try object.optionalText(.deviceName, in: file) ?? ByteText(),
            backend: try object.text(.backend, in: file),
            mpinID: try object.hexText(.mpinID, count: 1...MPinIDRecord.longest, in: file),
            state: try object.text(.state, in: file))
        user.regOTT = try object.optionalText(.regOTT, in: file)
        user.pinScheme = try object.optionalText(.pinScheme, in: file)
        user.pinLength = try object.optionalInteger(.pinLength, in: file)
        user.rpsPrefix = try object.optionalText(.rpsPrefix, in: file)
        user.owner = try object.optionalInteger(.uid, in: file)
        user.notes = object.raw(.notes, in: file)
        user.hasToken = object.contains(.token, in: file)
        if user.hasToken { try object.secretPoint(.token, in: file, into: &token) }
        user.device = try StoredDevice.decode(object, in: file, secret: &deviceSecret)
        let actual =
            user.hasToken
            ? user.checksum(token: token.span, deviceSecret: deviceSecret.span)
            : user.checksum(token: nil, deviceSecret: deviceSecret.span)
        guard try object.integer(.checksum, in: file) == actual else { throw .invalid(.checksum) }
        return user
    }

    /// A checksum of the members in which a changed character would go unnoticed.
    @inline(never)
    private func checksum(token: Span<UInt8>?, deviceSecret: Span<UInt8>?) -> Int {
        var checksum = Checksum()
        checksum.add(identity)
        checksum.add(regOTT)
        checksum.add(pinScheme)
        if let mpinID { checksum.add(mpinID.text.span) }
        checksum.add(UInt8(truncatingIfNeeded: pinLength ?? 0))
        for shift in stride(from: 0, to: 32, by: 8) { checksum.add(UInt8(truncatingIfNeeded: (owner ?? 0) >> shift)) }
        if let token { checksum.add(token) }
        device?.add(to: &checksum, secret: deviceSecret)
        return checksum.number
    }

    /// Writes one record with its secrets at a position of a file; see ``StoredFile``.
    ///
    /// - Parameter deviceSecret: the private half of the device key; nil if the record does not have it.
    package func encode(
        token: Span<UInt8>?, deviceSecret: Span<UInt8>?, to target: inout MutableSpan<UInt8>, at position: Int?
    ) -> Int? {
        guard let mpinID else { return nil }
        var writer = JSONWriter()
        writer.add(.identity, identity)
        writer.add(.backend, backend)
        writer.add(.mpinID, mpinID)
        writer.add(.state, state)
        if !deviceName.isEmpty { writer.add(.deviceName, deviceName) }
        writer.add(.regOTT, ifPresent: regOTT)
        writer.add(.pinScheme, ifPresent: pinScheme)
        if let pinLength { writer.add(.pinLength, pinLength) }
        writer.add(.rpsPrefix, ifPresent: rpsPrefix)
        if let owner { writer.add(.uid, owner) }
        if let notes { writer.add(.notes, json: notes) }
        device?.encode(to: &writer)
        writer.add(.checksum, checksum(token: token, deviceSecret: deviceSecret))
        let start = StoredFile.open(writer.finish(), in: &target, at: position)
        let middle = StoredFile.add(token, as: .token, to: &target, at: start)
        let end = StoredFile.add(deviceSecret, as: .deviceSecret, to: &target, at: middle)
        return StoredFile.close(in: &target, at: end)
    }
}

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
