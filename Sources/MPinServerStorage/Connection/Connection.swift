// SPDX-License-Identifier: Apache-2.0

/// A connection to the database, inside a transaction. The operations of ``ServerStorage`` use it, so that they do not depend
/// on the engine.
///
/// Each engine keeps the statements that it has prepared, by their text.
package protocol Connection: AnyObject {
    /// What the texts of some statements depend on.
    var engine: EngineKind { get }

    /// How many rows the last statement has changed.
    var changesCount: Int { get }

    /// Runs one statement.
    func rows(_ sql: String, _ parameters: Parameters) throws -> [Row]

    /// Runs one statement that returns nothing.
    func execute(_ sql: String, _ parameters: Parameters) throws

    /// Runs a part of a transaction, and undoes it if it throws or returns false.
    func savepoint(_ body: () throws -> Bool) throws
}

package enum EngineKind: Sendable {
    case sqlite, postgresql

    /// Reads a JSON object of numbers as rows with the columns `key` and `value`.
    func members(of parameter: String) -> String {
        switch self {
        case .sqlite: "(SELECT CAST(key AS BIGINT) AS key, value FROM json_each(\(parameter)))"
        case .postgresql:
            """
            (SELECT CAST(key AS BIGINT) AS key, CAST(value AS BIGINT) AS value
            FROM json_each_text(CAST(\(parameter) AS json)))
            """
        }
    }
}

extension Connection {
    package func execute(_ sql: String) throws { try execute(sql, []) }

    package func rows(_ sql: String) throws -> [Row] { try rows(sql, []) }

    package func row(_ sql: String, _ parameters: Parameters = []) throws -> Row? { try rows(sql, parameters).first }

    /// The first column of the first row; nil if there is no row, or if the column is null.
    package func value<Value: Storable>(_ sql: String, _ parameters: Parameters = []) throws -> Value? {
        try row(sql, parameters)?.first()
    }

    /// The first column of all rows.
    package func values<Value: Storable>(_ sql: String, _ parameters: Parameters = []) throws -> [Value] {
        try rows(sql, parameters).compactMap { $0.first() }
    }

    func exists(_ rows: String, _ parameters: Parameters = []) throws -> Bool {
        try value("SELECT EXISTS (SELECT 1 FROM \(rows))", parameters) ?? false
    }

    /// Runs a part of a transaction, and undoes it if it returns nil.
    func undoingNil<Result>(_ body: () throws -> Result?) throws -> Result? {
        var result: Result?
        try savepoint {
            result = try body()
            return result != nil
        }
        return result
    }
}
