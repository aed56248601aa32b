internal import Foundation
internal import GRDB

extension Store {
    /// Writes what is decided at initialization.
    package func initialize(_ settings: FixedSettings, serverIDText: String, event: AuditEvent) throws(ServerFault) {
        try write { database in
            var values = ["appID": settings.appID, "serverID": serverIDText]
            values["publicURL"] = settings.publicURL
            if settings.role != .combined { values[Self.roleSetting] = settings.role.rawValue }
            values.merge(settings.texts) { $1 }
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

    /// A setting, by its name.
    package func setting(_ name: String) throws(ServerFault) -> String? {
        try read { try String.fetchOne($0, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name]) }
    }

    /// The sealed master share of an authority.
    package func sealedShare(_ number: Int) throws(ServerFault) -> [UInt8]? {
        try read { database in
            try Data.fetchOne(database, sql: "SELECT share FROM authority WHERE number = ?", arguments: [number])
                .map { Array($0) }
        }
    }
}
