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
    package var serverID: ByteText?
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
    /// The part for the programs that enroll, as JSON; a login keeps it unchanged.
    package var notes: [UInt8]?
    /// Whether the record had a token when it was read.
    package private(set) var hasToken = false
    /// The public half of the device key, 65 bytes; nil for none. The record has its private half too, or ``tpmKey``.
    package var deviceKey: HexText?
    /// Whether the server does not have ``deviceKey`` yet, as far as this machine knows.
    package var isKeyPending = false
    /// What a TPM needs to use the private half that it has; nil if the record has that half.
    package var tpmKey: HexText?
    /// The public key of the registration's server, 65 bytes; nil for a registration without a pin. With a pin,
    /// ``serverID`` is the hash of this key.
    package private(set) var serverKey: HexText?
    /// How the registration got ``serverKey``.
    package private(set) var serverKeySource: ServerKeySource?

    /// The version of a file that has a record with a device key. Older programs would drop such keys, so they refuse
    /// this version.
    package static let keyedVersion = 2
    /// The version of a file that has a record with a server key, and the latest version that is read. Older programs
    /// would believe any server, so they refuse this version.
    package static let pinnedVersion = 3

    package init(
        identity: ByteText, deviceName: ByteText = ByteText(), backend: ByteText = ByteText(), mpinID: HexText? = nil,
        state: ByteText = ByteText()
    ) {
        self.identity = identity
        self.deviceName = deviceName
        self.backend = backend
        self.mpinID = mpinID
        self.state = state
    }

    /// The positions of the records in a file.
    ///
    /// - Throws: ``WireError`` if the file has another format or version.
    package static func records(in file: Span<UInt8>) throws(WireError) -> [JSONValue] {
        try StoredFile.records(.users, in: file, upTo: pinnedVersion)
    }

    /// The version of the file that a record needs. A record that cannot be read needs the latest one.
    package static func version(_ file: Span<UInt8>, at record: JSONValue) -> Int {
        do throws(WireError) {
            let object = try JSONObject(file, range: record.range)
            if object.contains(.serverKey, in: file) { return pinnedVersion }
            return object.contains(.deviceKey, in: file) ? keyedVersion : StoredFile.plainVersion
        } catch { return pinnedVersion }
    }

    /// Sets the key of the registration's server, and the name under which the device signs for it.
    ///
    /// - Parameters:
    ///   - key: 65 bytes.
    ///   - hash: their SHA-256.
    package func pin(_ key: HexText, hash: [UInt8], _ source: ServerKeySource) {
        (serverKey, serverKeySource) = (key, source)
        serverID = HexText(bytes: hash).digits
    }

    /// Forgets the key of the registration's server.
    func unpin() { (serverKey, serverKeySource, serverID) = (nil, nil, nil) }

    /// Adopts the server key of another record, or that it has none.
    package func takePin(of other: StoredUser) {
        (serverKey, serverKeySource, serverID) = (other.serverKey, other.serverKeySource, other.serverID)
    }

    /// Reads one record.
    ///
    /// - Parameters:
    ///   - token: 65 bytes that receive the token, if there is one; see ``hasToken``.
    ///   - deviceSecret: 32 bytes that receive the private half of ``deviceKey``, if there is one.
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
        user.serverID = try object.optionalText(.serverID, in: file)
        user.regOTT = try object.optionalText(.regOTT, in: file)
        user.pinScheme = try object.optionalText(.pinScheme, in: file)
        user.pinLength = try object.optionalInteger(.pinLength, in: file)
        user.rpsPrefix = try object.optionalText(.rpsPrefix, in: file)
        user.notes = object.raw(.notes, in: file)
        user.hasToken = object.contains(.token, in: file)
        if user.hasToken { try object.secretPoint(.token, in: file, into: &token) }
        try user.readKey(object, in: file, &deviceSecret)
        try user.readPin(object, in: file)
        // Older records have no checksum.
        if let checksum = try object.optionalInteger(.checksum, in: file) {
            let actual =
                user.hasToken
                ? user.checksum(token: token.span, deviceSecret: deviceSecret.span)
                : user.checksum(token: nil, deviceSecret: deviceSecret.span)
            guard checksum == actual else { throw .invalid(.checksum) }
        } else if user.deviceKey != nil {
            throw .missing(.checksum)
        }
        return user
    }

    /// Reads the device key: both halves or none.
    private func readKey(
        _ object: JSONObject, in file: Span<UInt8>, _ secret: inout MutableSpan<UInt8>
    ) throws(WireError) {
        let count = DeviceKeyFormat.publicKey...DeviceKeyFormat.publicKey
        deviceKey = try object.optionalHexText(.deviceKey, count: count, in: file)
        isKeyPending = try object.optionalFlag(.keyPending, in: file) ?? false
        tpmKey = try object.optionalHexText(.tpmKey, count: 1...TPMKey.longest, in: file)
        let hasSecret = object.contains(.deviceSecret, in: file)
        if deviceKey == nil {
            guard !isKeyPending, !hasSecret, tpmKey == nil else { throw .missing(.deviceKey) }
        } else if serverID == nil {
            // Everything the device signs names the server.
            throw .missing(.serverID)
        } else if tpmKey == nil {
            try object.secret(.deviceSecret, in: file, into: &secret)
        } else if hasSecret {
            throw .invalid(.deviceSecret)
        }
    }

    /// Reads the server's key. The device signs for it, so its registration has a device key that the server knows.
    private func readPin(_ object: JSONObject, in file: Span<UInt8>) throws(WireError) {
        let count = DeviceKeyFormat.publicKey...DeviceKeyFormat.publicKey
        serverKey = try object.optionalHexText(.serverKey, count: count, in: file)
        let source: ByteText? = try object.optionalText(.keySource, in: file)
        let name = serverID.flatMap { HexText(text: $0.bytes.span) }?.bytes
        guard let serverKey else {
            // Only the hash of a key is that long: this record has lost its pin.
            guard source == nil, name?.count != Hash.byteCount else { throw .missing(.serverKey) }
            return
        }
        serverKeySource = source.flatMap { ServerKeySource(name: $0) }
        guard serverKeySource != nil else { throw .invalid(.keySource) }
        guard deviceKey != nil, !isKeyPending else { throw .missing(.deviceKey) }
        guard let name, name.count == Hash.byteCount else { throw .invalid(.serverID) }
        // Without libcrypto nothing can be checked here, and nothing can log in either.
        var hash = name
        do throws(CryptoError) { hash = try Hash.sha256(serverKey.bytes) } catch {}
        guard Hash.equal(hash, name) else { throw .invalid(.serverID) }
    }

    /// A checksum of the members in which a changed character would go unnoticed.
    @inline(never)
    private func checksum(token: Span<UInt8>?, deviceSecret: Span<UInt8>?) -> Int {
        var checksum = Checksum()
        checksum.add(identity)
        checksum.add(serverID)
        checksum.add(regOTT)
        checksum.add(pinScheme)
        if let mpinID { checksum.add(mpinID.text.span) }
        checksum.add(UInt8(truncatingIfNeeded: pinLength ?? 0))
        if let token { checksum.add(token) }
        if let deviceKey {
            checksum.add(deviceKey.text.span)
            checksum.add(isKeyPending ? 1 : 0)
            if let tpmKey { checksum.add(tpmKey.text.span) } else if let deviceSecret { checksum.add(deviceSecret) }
        }
        if let serverKey, let serverKeySource {
            checksum.add(serverKey.text.span)
            checksum.add(serverKeySource.name.text)
        }
        return checksum.number
    }

    /// Writes one record with its secrets at a position of a file; see ``StoredFile``.
    ///
    /// - Parameter deviceSecret: the private half of ``deviceKey``; nil if there is none.
    package func encode(
        token: Span<UInt8>?, deviceSecret: Span<UInt8>?, to target: inout MutableSpan<UInt8>, at position: Int?
    ) -> Int? {
        guard let mpinID else { return nil }
        var writer = JSONWriter()
        writer.add(.identity, identity)
        writer.add(.backend, backend)
        writer.add(.serverID, ifPresent: serverID)
        writer.add(.mpinID, mpinID)
        writer.add(.state, state)
        if !deviceName.isEmpty { writer.add(.deviceName, deviceName) }
        writer.add(.regOTT, ifPresent: regOTT)
        writer.add(.pinScheme, ifPresent: pinScheme)
        if let pinLength { writer.add(.pinLength, pinLength) }
        writer.add(.rpsPrefix, ifPresent: rpsPrefix)
        if let notes { writer.add(.notes, json: notes) }
        if let deviceKey { writer.add(.deviceKey, deviceKey) }
        if isKeyPending { writer.add(.keyPending, true) }
        if let tpmKey { writer.add(.tpmKey, tpmKey) }
        if let serverKey, let serverKeySource {
            writer.add(.serverKey, serverKey)
            writer.add(.keySource, serverKeySource.name.text)
        }
        writer.add(.checksum, checksum(token: token, deviceSecret: deviceSecret))
        let start = StoredFile.open(writer.finish(), in: &target, at: position)
        let middle = StoredFile.add(token, as: .token, to: &target, at: start)
        let end = StoredFile.add(deviceSecret, as: .deviceSecret, to: &target, at: middle)
        return StoredFile.close(in: &target, at: end)
    }
}
