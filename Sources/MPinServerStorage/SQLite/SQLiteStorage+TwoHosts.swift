// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import MPinWire

/// What a server stores if its two authorities are on two hosts, as settings.
extension SQLiteStorage {
    /// The setting that contains the role. A database without it belongs to a server with both authorities.
    static let roleSetting = "role"
    /// The address of the second authority.
    static let secondAuthoritySetting = "secondAuthority"
    /// The public half of the relying party's key, in hexadecimal.
    static let relyingPartySetting = "relyingPartyPublicKey"
    /// Precedes a replaced key in the name of the setting that contains the time of the replacement.
    private static let formerRelyingPartySetting = "formerRelyingPartyPublicKey "

    package func role() throws(ServerError) -> ServerRole {
        guard let name = try setting(Self.roleSetting) else { return .combined }
        guard let role = ServerRole(rawValue: name) else {
            throw ServerError(
                .configuration, "this version does not know the role of the database: \(name)",
                hint: "Install the version that made it.")
        }
        return role
    }

    package func secondAuthorityURL() throws(ServerError) -> String? { try setting(Self.secondAuthoritySetting) }

    package func relyingPartyPublicKey() throws(ServerError) -> [UInt8]? {
        guard let text = try setting(Self.relyingPartySetting) else { return nil }
        return Hex.decode(Array(text.utf8).span)
    }

    package func sealedSecret(_ name: SealedSecret) throws(ServerError) -> [UInt8]? {
        guard let text = try setting(name.settingName) else { return nil }
        guard let sealed = Hex.decode(Array(text.utf8).span) else {
            throw ServerError(.storage, "the database contains no readable \(name.rawValue)")
        }
        return sealed
    }

    package func keepServerShare(_ sealed: [UInt8], event: AuditEvent) throws(ServerError) {
        try write { database in
            try database.execute(
                sql: "INSERT OR IGNORE INTO setting (name, value) VALUES (?, ?)",
                arguments: [SealedSecret.serverShare.settingName, HexText(bytes: sealed).string])
            if database.changesCount > 0 { try Self.record([event], in: database) }
        }
    }

    package func isFormerRelyingParty(_ publicKey: [UInt8]) throws(ServerError) -> Bool {
        try setting(Self.formerRelyingPartySetting + HexText(bytes: publicKey).string) != nil
    }

    package func renewRelyingParty(_ publicKey: [UInt8], sealed: [UInt8]?, event: AuditEvent) throws(ServerError) {
        try write { database in
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO setting (name, value) SELECT ? || value, ? FROM setting WHERE name = ?
                    """,
                arguments: [
                    Self.formerRelyingPartySetting, "\(event.time.milliseconds)", Self.relyingPartySetting,
                ])
            try database.execute(
                sql: "UPDATE setting SET value = ? WHERE name = ?",
                arguments: [HexText(bytes: publicKey).string, Self.relyingPartySetting])
            if let sealed { try Self.replace(.relyingPartyKey, by: sealed, in: database) }
            try Self.record([event], in: database)
        }
    }

    /// Replaces a secret with its form under another sealing key, inside a transaction.
    static func replace(_ name: SealedSecret, by sealed: [UInt8], in database: Database) throws {
        try database.execute(
            sql: "UPDATE setting SET value = ? WHERE name = ?",
            arguments: [HexText(bytes: sealed).string, name.settingName])
    }
}

extension SealedSecret {
    var settingName: String {
        switch self {
        case .serverKey: "serverKey"
        case .relyingPartyKey: "relyingPartyKey"
        case .serverShare: "secondServerShare"
        }
    }
}
