// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB
internal import MPinWire

extension SQLiteStorage {
    package func initialize(_ settings: FixedSettings, event: AuditEvent) throws(ServerError) {
        try write { database in
            var values = ["appID": settings.appID, "serverID": HexText(bytes: settings.serverID).string]
            values["publicURL"] = settings.publicURL
            if settings.role != .combined { values[Self.roleSetting] = settings.role.rawValue }
            values[Self.serverKeySetting] = settings.serverPublicKey.map { HexText(bytes: $0).string }
            values[Self.secondAuthoritySetting] = settings.secondAuthorityURL
            values[Self.relyingPartySetting] = settings.relyingPartyPublicKey.map { HexText(bytes: $0).string }
            for (name, secret) in settings.secrets { values[name.settingName] = HexText(bytes: secret).string }
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

    package func identity() throws(ServerError) -> ServerIdentity {
        guard let appID = try setting("appID"), let text = try setting("serverID"),
            let serverID = Hex.decode(Array(text.utf8).span)
        else { throw ServerError(.storage, "the database lacks its settings") }
        return ServerIdentity(appID: appID, serverID: serverID, publicURL: try setting("publicURL"))
    }

    /// The public half of the server's key, in hexadecimal.
    private static let serverKeySetting = "serverPublicKey"

    package func serverPublicKey() throws(ServerError) -> [UInt8]? {
        guard let text = try setting(Self.serverKeySetting) else { return nil }
        guard let key = Hex.decode(Array(text.utf8).span) else {
            throw ServerError(.storage, "the database contains no readable server key")
        }
        return key
    }

    package func keepServerKey(_ publicKey: [UInt8], sealed: [UInt8], event: AuditEvent) throws(ServerError) {
        try write { database in
            let names = [Self.serverKeySetting, SealedSecret.serverKey.settingName]
            let isThere = try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM setting WHERE name IN (?, ?))",
                arguments: StatementArguments(names))
            guard isThere == false else { return }
            for (name, value) in zip(names, [publicKey, sealed]) {
                try database.execute(
                    sql: "INSERT INTO setting (name, value) VALUES (?, ?)",
                    arguments: [name, HexText(bytes: value).string])
            }
            try Self.record([event], in: database)
        }
    }

    /// A setting, by its name.
    func setting(_ name: String) throws(ServerError) -> String? {
        try read { try String.fetchOne($0, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name]) }
    }

    package func sealedShare(_ number: Int) throws(ServerError) -> [UInt8]? {
        try read { database in
            try Data.fetchOne(database, sql: "SELECT share FROM authority WHERE number = ?", arguments: [number])
                .map { Array($0) }
        }
    }
}
