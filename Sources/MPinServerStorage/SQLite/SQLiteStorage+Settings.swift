// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB
internal import MPinWire

extension SQLiteStorage {
    /// Writes the settings that initialization has decided.
    package func initialize(_ settings: FixedSettings, event: AuditEvent) throws(ServerError) {
        try write { database in
            var values = ["appID": settings.appID, Self.roleSetting: settings.role.rawValue]
            values["publicURL"] = settings.publicURL
            values[Self.serverKeySetting] = settings.serverPublicKey.map { HexText(bytes: $0).string }
            values[Self.secondAuthoritySetting] = settings.secondAuthorityURL
            values[Self.relyingPartySetting] = settings.relyingPartyPublicKey.map { HexText(bytes: $0).string }
            for (name, secret) in settings.secrets { values[name.rawValue] = HexText(bytes: secret).string }
            for (name, value) in values {
                try database.execute(sql: "INSERT INTO setting (name, value) VALUES (?, ?)", arguments: [name, value])
            }
            for (number, share) in settings.shares {
                try database.execute(
                    sql: "INSERT INTO authority (number, share) VALUES (?, ?)", arguments: [number, Data(share)])
            }
            try Self.record([event], in: database)
        }
    }

    /// The names of the server, which are decided once.
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
        try read { try String.fetchOne($0, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name]) }
    }

    /// The sealed master share of an authority.
    package func sealedShare(_ number: Int) throws(ServerError) -> [UInt8]? {
        try read { database in
            try Data.fetchOne(database, sql: "SELECT share FROM authority WHERE number = ?", arguments: [number])
                .map { Array($0) }
        }
    }
}
