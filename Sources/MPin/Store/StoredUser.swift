package import MPinWire

/// A registration as a machine keeps it, without its token.
///
/// The file is a JSON object with `version` and an array `users`; the token (hexadecimal, 65 bytes) goes in and out
/// through a buffer of the caller's. A class because it is handed around whole, and long to copy.
package final class StoredUser {
    package let identity: ByteText
    package var backend: ByteText
    package var serverID: ByteText?
    /// The M-Pin ID as the server wrote it; nil before there is one.
    package var mpinID: HexText?
    /// The Milagro name of the state.
    package var state: ByteText
    package let deviceName: ByteText
    package var regOTT: ByteText?
    package var pinScheme: ByteText?
    package var pinLength: Int?
    /// The path below which the server's protocol lies; nil for the usual one.
    package var rpsPrefix: ByteText?
    /// What stands there for the programs that enrol, as JSON; a login keeps it as it is.
    package var notes: [UInt8]?
    /// Whether a token was read beside it.
    package private(set) var hasToken = false

    /// The version of the file that is written, and the only one that is read.
    package static let version = 1

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

    /// Where the records lie in a file.
    ///
    /// - Throws: ``WireError`` when the file is not one of ours, or of another version.
    package static func records(in file: Span<UInt8>) throws(WireError) -> [JSONValue] {
        try StoredFile.records(.users, in: file)
    }

    /// Reads one record.
    ///
    /// - Parameter token: 65 bytes that receive the token, where there is one; see ``hasToken``.
    package static func decode(
        _ file: Span<UInt8>, at record: JSONValue, token: inout MutableSpan<UInt8>
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
        // Older records have none.
        if let checksum = try object.optionalInteger(.checksum, in: file) {
            let actual = user.hasToken ? user.checksum(token: token.span) : user.checksum(token: Span())
            guard checksum == actual else { throw .invalid(.checksum) }
        }
        return user
    }

    /// A checksum of the members in which a changed character would go unnoticed.
    @inline(never)
    private func checksum(token: Span<UInt8>) -> Int {
        var checksum = Checksum()
        checksum.add(identity)
        checksum.add(serverID)
        checksum.add(regOTT)
        checksum.add(pinScheme)
        if let mpinID { checksum.add(mpinID.text.span) }
        checksum.add(UInt8(truncatingIfNeeded: pinLength ?? 0))
        checksum.add(token)
        return checksum.number
    }

    /// Writes one record with its token at a position of a file; see ``StoredFile``.
    package func encode(
        token: Span<UInt8>?, to target: inout MutableSpan<UInt8>, at position: Int?
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
        if let token {
            writer.add(.checksum, checksum(token: token))
        } else {
            writer.add(.checksum, checksum(token: Span()))
        }
        return StoredFile.write(writer.finish(), secret: token, as: .token, to: &target, at: position)
    }
}
