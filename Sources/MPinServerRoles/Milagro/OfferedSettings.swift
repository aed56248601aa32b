// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

/// What clients learn about this server, in the format of 2016. All clients ask for it.
struct OfferedSettings: Sendable {
    private let json: [UInt8]

    init(_ state: ServerState, _ context: ServerContext) { json = Self.settings(state, context).encode() }

    /// The settings with random digits, without which the mobile web client of 2016 does not start. Other clients
    /// ignore them.
    func seeded() throws -> [UInt8] {
        var seed = JSONWriter()
        seed.add(.seedValue, HexText(bytes: try Random.bytes(100)))
        return json.dropLast() + [UInt8(ascii: ",")] + seed.finish().dropFirst()
    }

    /// Without a public address, clients complete the paths themselves.
    private static func settings(_ state: ServerState, _ context: ServerContext) -> ClientSettings {
        let (configuration, publicURL) = (context.configuration, context.publicURL)
        var texts: [MemberName: String] = [:]
        for endpoint in ServerEndpoint.allCases.map(\.row) where endpoint.isOffered(configuration) {
            if let setting = endpoint.setting { texts[setting] = "\(publicURL)\(endpoint.path)" }
        }
        texts[.certivoxURL] = context.authorityURL
        texts[.mpinAuthServerURL] = "\(publicURL)\(ServerEndpoint.passOne.parentPath)"
        // There is no store of permits. An empty address makes some clients of 2016 fail; one that answers 404 does
        // not.
        texts[.timePermitsStorageURL] = "\(publicURL)/permits"
        texts[.appID] = state.appID
        var settings = ClientSettings(texts)
        settings[number: .checkSum] = 1
        settings.serverID = HexText(bytes: state.key.hash)
        settings.serverKey = HexText(bytes: state.key.publicKey)
        var extensions: [ProtocolExtension] = [
            .passID, .attemptsLeft, .revoke, .requester, .deny, .owner, .deviceKey, .direct, .status, .proof,
            .sshCertificates,
        ]
        // Its address is that of another server, even for clients at a socket.
        if state.secondAuthorityURL != nil { extensions.append(.secondAuthority) }
        // The codes of the site's application may have another format.
        if !configuration.verifiesByHook { extensions += [.invitationCode, .backupCodes] }
        if configuration.verifiesByMail { extensions.append(.mail) }
        settings.extensions = extensions
        return settings
    }
}
