import Foundation
import GRDB
import MPinServer
import Testing

/// The databases of previous versions of the server: `Tests/Schemas` has a dump of each, named by its last migration.
@Suite struct SchemaTests {
    @Test(arguments: ["attempts", "suspension", "upkeep", "rotation", "owner"])
    func `a database of a previous version becomes one of this, and whoever was enrolled logs in`(version: String)
        throws
    {
        let fixture = try Fixture()
        let alice = try fixture.enroll()
        #expect(try alice.login(pin: "9999", at: fixture).status == 401)
        let new = try fixture.schema()
        try fixture.takeBack(to: version)
        #expect(try fixture.schema() != new)
        try fixture.restart()
        #expect(try fixture.schema() == new)
        #expect(try fixture.administrator.user("alice").devices.map(\.failures) == [1])
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `a database of a newer version is refused by its name, and nothing is changed in it`() throws {
        let server = try RunningServer()
        #expect(server.stop() == 0)
        let queue = try DatabaseQueue(path: server.directory + "/mpin.sqlite")
        try queue.write { database in
            // As if this version did not know its last migration, and the newer one had another after it.
            try database.execute(
                sql: """
                    DELETE FROM grdb_migrations WHERE identifier = 'device';
                    INSERT INTO grdb_migrations VALUES ('hovercraft')
                    """)
        }
        let serve = ["serve", "--dir", server.directory, "--listen", "unix:\(server.socket)"]
        for command in [serve, ["user", "list", "--dir", server.directory]] {
            let refused = try Program.run(command)
            #expect(refused.code == 78)
            #expect(refused.errors.contains("newer mpin-server") && refused.errors.contains("'hovercraft'"))
            #expect(refused.errors.contains("version \(ListeningServer.version)"))
        }
        let migrations = try queue.read { try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations") }
        #expect(migrations.contains("hovercraft") && !migrations.contains("device"))
    }

    @Test func `a migration that databases have seen does not change`() throws {
        let fixture = try Fixture()
        let new = try fixture.schema()
        try fixture.takeBack(to: "device")
        #expect(try fixture.schema() == new)
    }
}

extension Fixture {
    /// Puts the tables of a previous version in the place of this one's, with what fits in of their rows.
    func takeBack(to version: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Schemas/\(version).sql")
        let dump = try String(contentsOf: file, encoding: .utf8)
        current.flush()
        try database.write { database in
            let tables = "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
            for table in try String.fetchAll(database, sql: tables) {
                try database.execute(sql: "CREATE TEMP TABLE new_\(table) AS SELECT * FROM main.\(table)")
                try database.execute(sql: "DROP TABLE main.\(table)")
            }
            try database.execute(sql: "PRAGMA application_id = 0")
            try database.execute(sql: dump)
            for table in try String.fetchAll(database, sql: tables) where table != "grdb_migrations" {
                let new = try Set(database.columns(in: "new_\(table)").map(\.name))
                let columns = try database.columns(in: table).map(\.name).filter(new.contains).joined(separator: ", ")
                try database.execute(sql: "INSERT INTO \(table) (\(columns)) SELECT \(columns) FROM new_\(table)")
            }
        }
    }

    /// Tables with their columns, indexes and migrations.
    func schema() throws -> [String] {
        try database.read { database in
            let made = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
            let migrations = try String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
            return try Row.fetchAll(database, sql: made).map { "\($0["name"] as String): \($0["sql"] as String)" }
                + migrations + [String(Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0)]
        }
    }
}
