// SPDX-License-Identifier: Apache-2.0
internal import CPostgreSQL
internal import Foundation

extension ServerStorage {
    /// Copies this database to an empty PostgreSQL database in one transaction, which is committed only if all rows
    /// there are the same as here.
    ///
    /// No server may use this database meanwhile.
    ///
    /// - Parameter event: is recorded in the new database.
    /// - Returns: how many rows were copied.
    /// - Throws: ``ServerError``. Then nothing has changed in the PostgreSQL database, unless its answer to the commit was
    ///   lost.
    package func move(
        to address: PostgreSQLAddress, password: String?, newest: String, event: AuditEvent
    ) throws(ServerError) -> Int {
        let tables = try read { try MovedTable.all(in: $0) }
        // The reservations of a server that was killed.
        try write { try Self.expireReservations(in: $0) }
        let rows = RowCount()
        let engine = try PostgreSQLEngine(
            address, password: password, newest: TimelineFile(path: newest),
            access: .creating { [self] target in
                rows.value = 0
                for table in tables {
                    // The schema has made rows of its own.
                    if table.name != "setting" { try target.execute("DELETE FROM \(table.name)") }
                    try table.copy(from: self, to: target)
                    try table.compare(self, target)
                    rows.value += try table.count(in: target)
                }
                try Self.record([event], in: target)
            }, onCommit: { _ in })
        try engine.close()
        return rows.value
    }
}

private final class RowCount: @unchecked Sendable {
    var value = 0
}

/// A table of the SQLite database, which the PostgreSQL database has with the same columns.
private struct MovedTable {
    /// How many rows are read at once.
    private static let slice = 2_000
    /// Milliseconds that a statement may take.
    private static let patience: Int64 = 60_000

    let name: String
    private let columns: [String]
    private let key: [String]

    /// All tables of an SQLite database.
    static func all(in connection: any Connection) throws -> [MovedTable] {
        let names: [String] = try connection.values(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
        return try names.map { name in
            let columns = try connection.rows("SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", [name])
            let key = try columns.filter { try ($0["pk"] as Int) > 0 }.sorted { try ($0["pk"] as Int) < $1["pk"] }
            return try MovedTable(name: name, columns: columns.map { try $0["name"] }, key: key.map { try $0["name"] })
        }
    }

    /// The rows that the schema of PostgreSQL has made are no copies.
    private func select(_ offset: Int) -> (sql: String, parameters: Parameters) {
        let condition = name == "setting" ? "name <> '\(Schema.versionSetting)'" : "1 = 1"
        let rows = "\(name) WHERE \(condition) ORDER BY \(key.joined(separator: ", "))"
        return ("SELECT \(columns.joined(separator: ", ")) FROM \(rows) LIMIT ? OFFSET ?", [Self.slice, offset])
    }

    func copy(from source: ServerStorage, to target: PostgreSQLConnection) throws {
        var offset = 0
        while true {
            let (sql, parameters) = select(offset)
            let rows = try source.read { try $0.rows(sql, parameters) }
            guard !rows.isEmpty else { break }
            let json = try JSONSerialization.data(withJSONObject: rows.map(\.json))
            target.deadline = mpin_pg_now() + Self.patience
            try target.execute(
                """
                INSERT INTO \(name) (\(columns.joined(separator: ", "))) SELECT \(columns.joined(separator: ", "))
                FROM json_populate_recordset(CAST(NULL AS \(name)), CAST(? AS json))
                """, [String(decoding: json, as: UTF8.self)])
            offset += rows.count
        }
        guard columns.contains("id") else { return }
        // The next number after those of the copied rows; nothing for a column that does not count up.
        _ = try target.rows(
            """
            SELECT setval(pg_get_serial_sequence(?, 'id'), coalesce((SELECT max(id) FROM \(name)), 0) + 1, false)
            """, [name])
    }

    /// - Throws: ``ServerError`` if a row differs.
    func compare(_ source: ServerStorage, _ target: PostgreSQLConnection) throws {
        var offset = 0
        while true {
            let (sql, parameters) = select(offset)
            let rows = try source.read { try $0.rows(sql, parameters) }
            target.deadline = mpin_pg_now() + Self.patience
            guard try target.rows(sql, parameters) == rows else {
                throw ServerError(
                    .storage, "the table '\(name)' has other rows after the copy", hint: "Nothing was changed.")
            }
            guard !rows.isEmpty else { return }
            offset += rows.count
        }
    }

    func count(in target: PostgreSQLConnection) throws -> Int {
        try target.value("SELECT count(*) FROM \(name)") ?? 0
    }
}

extension Row {
    /// An object for `json_populate_recordset`.
    fileprivate var json: [String: Any] {
        Dictionary(uniqueKeysWithValues: zip(names, values)).compactMapValues { value in
            switch value {
            case .integer(let number): number.map { NSNumber(value: $0) }
            case .text(let text): text
            case .bytes(let bytes): bytes.map { "\\x" + $0.map { String(format: "%02x", $0) }.joined() }
            case .boolean(let flag): flag
            }
        }
    }
}
