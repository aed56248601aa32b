// SPDX-License-Identifier: Apache-2.0
internal import GRDB

extension Schema {
    /// The application ID in the header of the database file: "MPIN".
    static let applicationID = 0x4D50_494E

    static func create(in database: Database) throws {
        try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
        for table in tables { try database.execute(sql: table) }
    }

    /// Checks that a database has the tables of this version.
    ///
    /// - Throws: `DatabaseError` for a database that is not a server's; ``ServerError`` for one of another version.
    static func check(_ database: Database, name: String) throws {
        // SQLite creates a missing file when it opens it, and an empty one is not a server's database.
        guard try database.tableExists("setting") else {
            throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "not a server's database")
        }
        guard try Int.fetchOne(database, sql: "PRAGMA user_version") == version else { throw otherVersion(name) }
    }
}
