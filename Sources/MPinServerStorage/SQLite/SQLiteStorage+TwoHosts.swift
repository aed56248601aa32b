// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import MPinWire

/// What a server stores if its two authorities are on two hosts, as settings.
extension SQLiteStorage {
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

    /// A sealed secret; nil if there is none yet.
    package func sealedSecret(_ name: SealedSecret) throws(ServerError) -> [UInt8]? {
        guard let text = try setting(name.rawValue) else { return nil }
        guard let sealed = Hex.decode(Array(text.utf8).span) else {
            throw ServerError(.storage, "the database contains no readable \(name.rawValue)")
        }
        return sealed
    }

    /// Stores the second authority's share of the server secret. A stored share is never replaced.
    package func keepServerShare(_ sealed: [UInt8], event: AuditEvent) throws(ServerError) {
        try write { database in
            try database.execute(
                sql: "INSERT OR IGNORE INTO setting (name, value) VALUES (?, ?)",
                arguments: [SealedSecret.serverShare.rawValue, HexText(bytes: sealed).string])
            if database.changesCount > 0 { try Self.record([event], in: database) }
        }
    }

    /// Whether a key was the relying party's key before it was replaced.
    package func isFormerRelyingParty(_ publicKey: [UInt8]) throws(ServerError) -> Bool {
        try setting(Self.formerRelyingPartySetting + HexText(bytes: publicKey).string) != nil
    }

    /// Replaces the relying party's key: its public half, and its sealed private half if that is stored here.
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
            arguments: [HexText(bytes: sealed).string, name.rawValue])
    }
}
