/// A registration as a machine keeps it, without its token.
///
/// The file is a JSON object with `version` and an array `users`; the token (hexadecimal, 65 bytes) goes in and out
/// through a buffer of the caller's.
package struct StoredUser: Sendable {
    package var identity: String
    package var backend: String
    package var serverID: String?
    /// The M-Pin ID as the server wrote it.
    package var mpinID: HexText
    /// The Milagro name of the state.
    package var state: String
    package var deviceName: String
    package var regOTT: String?
    package var pinScheme: String?
    package var pinLength: Int?
    /// The path below which the server's protocol lies; nil for the usual one.
    package var rpsPrefix: String?

    /// The version of the file that is written, and the only one that is read.
    package static let version = 1

    package init(
        identity: String, backend: String, serverID: String?, mpinID: HexText, state: String, deviceName: String,
        regOTT: String?, pinScheme: String?, pinLength: Int?, rpsPrefix: String? = nil
    ) {
        self.identity = identity
        self.backend = backend
        self.serverID = serverID
        self.mpinID = mpinID
        self.state = state
        self.deviceName = deviceName
        self.regOTT = regOTT
        self.pinScheme = pinScheme
        self.pinLength = pinLength
        self.rpsPrefix = rpsPrefix
    }

    /// Where the records lie in a file.
    ///
    /// - Throws: ``WireError`` when the file is not one of ours, or of another version.
    package static func records(in file: Span<UInt8>) throws(WireError) -> [Range<Int>] {
        let object = try JSONObject(file)
        guard try object.integer(.version, in: file) == version else { throw .invalid(.version) }
        return try object.objects(.users, in: file)
    }

    /// Reads one record.
    ///
    /// - Parameter token: 65 bytes that receive the token.
    /// - Returns: the record, and whether it has a token.
    package static func decode(
        _ file: Span<UInt8>, at range: Range<Int>, token: inout MutableSpan<UInt8>
    ) throws(WireError) -> (user: StoredUser, hasToken: Bool) {
        let object = try JSONObject(file, range: range)
        let user = StoredUser(
            identity: try object.text(.identity, in: file),
            backend: try object.text(.backend, in: file),
            serverID: try object.optionalText(.serverID, in: file),
            mpinID: try object.hexText(.mpinID, count: 1...4096, in: file),
            state: try object.text(.state, in: file),
            deviceName: try object.optionalText(.deviceName, in: file) ?? "",
            regOTT: try object.optionalText(.regOTT, in: file),
            pinScheme: try object.optionalText(.pinScheme, in: file),
            pinLength: try object.optionalInteger(.pinLength, in: file),
            rpsPrefix: try object.optionalText(.rpsPrefix, in: file))
        let hasToken = object.contains(.token, in: file)
        if hasToken { try object.secretPoint(.token, in: file, into: &token) }
        return (user, hasToken)
    }

    /// Writes one record with its token at a position of a file; see ``StoredFile``.
    package func encode(
        token: Span<UInt8>?, to target: inout MutableSpan<UInt8>, at position: Int?
    ) -> Int? {
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
        return StoredFile.write(writer.finish(), secret: token, as: .token, to: &target, at: position)
    }
}
