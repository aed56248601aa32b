// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension ServerStorage {
    package func initialize(_ settings: FixedSettings, event: AuditEvent) throws(ServerError) {
        try write { connection in
            var values = ["appID": settings.appID, Self.roleSetting: settings.role.rawValue]
            values["publicURL"] = settings.publicURL
            values[Self.serverKeySetting] = settings.serverPublicKey.map { HexText(bytes: $0).string }
            values[Self.secondAuthoritySetting] = settings.secondAuthorityURL
            values[Self.relyingPartySetting] = settings.relyingPartyPublicKey.map { HexText(bytes: $0).string }
            for (name, secret) in settings.secrets { values[name.rawValue] = HexText(bytes: secret).string }
            for (name, value) in values {
                try connection.execute("INSERT INTO setting (name, value) VALUES (?, ?)", [name, value])
            }
            for (number, share) in settings.shares {
                try connection.execute(
                    "INSERT INTO authority (number, share) VALUES (?, ?)", [number, share])
            }
            try Self.record([event], in: connection)
        }
    }

    package func identity() throws(ServerError) -> ServerIdentity {
        guard let appID = try setting("appID") else { throw ServerError.incompleteDatabase }
        return ServerIdentity(appID: appID, publicURL: try setting("publicURL"))
    }

    /// The public half of the server's key, in hexadecimal.
    private static let serverKeySetting = "serverPublicKey"

    /// The public half of the server's key; nil for an authority, which has none.
    package func serverPublicKey() throws(ServerError) -> [UInt8]? {
        guard let text = try setting(Self.serverKeySetting) else { return nil }
        guard let key = Hex.decode(Array(text.utf8).span) else {
            throw ServerError(.storage, "the database contains no readable server key")
        }
        return key
    }

    func setting(_ name: String) throws(ServerError) -> String? {
        try read { try Self.setting(name, in: $0) }
    }

    /// Stores a setting.
    static let setting = """
        INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """

    static func set(_ name: String, to value: String, in connection: any Connection) throws {
        try connection.execute(setting, [name, value])
    }

    /// Reads a setting inside a transaction.
    static func setting(_ name: String, in connection: any Connection) throws -> String? {
        try connection.value("SELECT value FROM setting WHERE name = ?", [name])
    }

    package func sealedShare(_ number: Int) throws(ServerError) -> [UInt8]? {
        try read { connection in
            try connection.value("SELECT share FROM authority WHERE number = ?", [number])
        }
    }
}

/// What a server stores if its two authorities are on two hosts, as settings.
extension ServerStorage {
    static let roleSetting = "role"
    static let secondAuthoritySetting = "secondAuthority"
    /// The public half of the relying party's key, in hexadecimal.
    static let relyingPartySetting = "relyingPartyPublicKey"
    /// Precedes a replaced key in the name of the setting that contains the time of the replacement.
    private static let formerRelyingPartySetting = "formerRelyingPartyPublicKey "

    package func role() throws(ServerError) -> ServerRole {
        guard let role = try setting(Self.roleSetting).flatMap({ ServerRole(rawValue: $0) }) else {
            throw ServerError.incompleteDatabase
        }
        return role
    }

    /// The address of the second authority; nil if it is on this server.
    package func secondAuthorityURL() throws(ServerError) -> String? { try setting(Self.secondAuthoritySetting) }

    /// The public half of the relying party's key; nil on a server with both authorities.
    package func relyingPartyPublicKey() throws(ServerError) -> [UInt8]? {
        guard let text = try setting(Self.relyingPartySetting) else { return nil }
        return Hex.decode(Array(text.utf8).span)
    }

    package func sealedSecret(_ name: SealedSecret) throws(ServerError) -> [UInt8]? {
        guard let text = try setting(name.rawValue) else { return nil }
        guard let sealed = Hex.decode(Array(text.utf8).span) else {
            throw ServerError(.storage, "the database contains no readable \(name.rawValue)")
        }
        return sealed
    }

    /// Stores the second authority's share of the server secret. A stored share is never replaced.
    package func keepServerShare(_ sealed: [UInt8], event: AuditEvent) throws(ServerError) {
        try write { connection in
            try connection.execute(
                "INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING",
                [SealedSecret.serverShare.rawValue, HexText(bytes: sealed).string])
            if connection.changesCount > 0 { try Self.record([event], in: connection) }
        }
    }

    package func isFormerRelyingParty(_ publicKey: [UInt8]) throws(ServerError) -> Bool {
        try setting(Self.formerRelyingPartySetting + HexText(bytes: publicKey).string) != nil
    }

    /// Replaces the relying party's key: its public half, and its sealed private half if that is stored here.
    package func renewRelyingParty(_ publicKey: [UInt8], sealed: [UInt8]?, event: AuditEvent) throws(ServerError) {
        try write { connection in
            try connection.execute(
                """
                INSERT INTO setting (name, value) SELECT ? || value, ? FROM setting WHERE name = ?
                ON CONFLICT DO NOTHING
                """,
                [
                    Self.formerRelyingPartySetting, "\(event.time.milliseconds)", Self.relyingPartySetting,
                ])
            try connection.execute(
                "UPDATE setting SET value = ? WHERE name = ?",
                [HexText(bytes: publicKey).string, Self.relyingPartySetting])
            if let sealed { try Self.replace(.relyingPartyKey, by: sealed, in: connection) }
            try Self.record([event], in: connection)
        }
    }

    /// Replaces a secret with its form under another sealing key, inside a transaction.
    static func replace(_ name: SealedSecret, by sealed: [UInt8], in connection: any Connection) throws {
        try connection.execute(
            "UPDATE setting SET value = ? WHERE name = ?",
            [HexText(bytes: sealed).string, name.rawValue])
    }
}
