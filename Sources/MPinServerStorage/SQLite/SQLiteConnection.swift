// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB

/// A connection to SQLite.
final class SQLiteConnection: Connection {
    let engine = EngineKind.sqlite
    private let database: Database

    init(_ database: Database) { self.database = database }

    var changesCount: Int { database.changesCount }

    func execute(_ sql: String, _ parameters: Parameters) throws {
        try database.cachedStatement(sql: sql).execute(arguments: parameters.arguments)
    }

    func rows(_ sql: String, _ parameters: Parameters) throws -> [Row] {
        let cursor = try GRDB.Row.fetchCursor(
            database.cachedStatement(sql: sql), arguments: parameters.arguments)
        var names: [String] = []
        var rows: [Row] = []
        while let row = try cursor.next() {
            if names.isEmpty { names = Array(row.columnNames) }
            rows.append(Row(names: names, values: row.databaseValues.map { StoredValue($0) }))
        }
        return rows
    }

    func savepoint(_ body: () throws -> Bool) throws {
        try database.inSavepoint { try body() ? .commit : .rollback }
    }
}

extension Parameters {
    fileprivate var arguments: StatementArguments {
        named.isEmpty
            ? StatementArguments(ordered.map(\.databaseValue))
            : StatementArguments(named.mapValues(\.databaseValue))
    }
}

extension StoredValue {
    fileprivate init(_ value: DatabaseValue) {
        self =
            switch value.storage {
            case .null: .integer(nil)
            case .int64(let number): .integer(number)
            // No column has this type.
            case .double(let number): .integer(Int64(exactly: number))
            case .string(let text): .text(text)
            case .blob(let data): .bytes(Array(data))
            }
    }

    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .integer(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .bytes(let bytes): bytes.map { Data($0) }.databaseValue
        case .boolean(let value): value.databaseValue
        }
    }
}
