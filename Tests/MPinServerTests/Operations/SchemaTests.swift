// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinServer
import MPinServerStorage
import Testing

/// The databases of all versions of the server: `Tests/Schemas` has a dump of each, named by its last migration.
@Suite struct SchemaTests {
    @Test(arguments: ["0.1", "0.1-codes"])
    func `a database of each version is brought up to date, and its users log in`(version: String) throws {
        let fixture = try Fixture()
        let alice = try fixture.enroll()
        #expect(try alice.login(pin: "9999", at: fixture).status == 401)
        let new = try fixture.schema()
        try fixture.takeBack(to: version)
        try fixture.restart()
        #expect(try fixture.schema() == new)
        #expect(try fixture.administrator.user("alice").devices.map(\.failures) == [1])
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `codes without names are gone, and refusals keep the device that they are about`() throws {
        let fixture = try Fixture()
        let alice = try fixture.device()
        let made = try alice.login("makeBackupCodes", "2", at: fixture)
        _ = try alice.login("confirmBackupCodes", String(made.object["batch"] as? Int ?? 0), at: fixture)
        let bob = try fixture.enroll("bob")
        let bindings = try (0..<2).map { _ in try Binding(bob, at: fixture) }
        #expect(try bindings.map { try $0.send(at: fixture).status } == [200, 409])
        let code = try fixture.invite("alice")
        fixture.current.flush()
        let refusals = try fixture.administrator.unsignedRefusals("bob")
        #expect(Array(refusals.keys) == [1])
        try fixture.takeBack(to: "0.1")
        try fixture.restart()
        #expect(try fixture.administrator.unsignedRefusals("bob") == refusals)
        #expect(try fixture.administrator.user("alice").backupCodes == 0)
        #expect(try fixture.put("/rps/user", ["userId": "alice", "activateCode": code]).status == 403)
    }

    @Test func `a migration that databases have seen does not change`() throws {
        let fixture = try Fixture()
        let new = try fixture.schema()
        try fixture.takeBack(to: "0.1-codes")
        #expect(try fixture.schema() == new)
    }

    @Test(arguments: [
        ("INSERT INTO grdb_migrations VALUES ('hovercraft')", "newer mpin-server", "'hovercraft'"),
        (
            "UPDATE grdb_migrations SET identifier = '1' WHERE identifier = '0.1'", "development version before 0.1",
            "mpin-server init"
        ),
    ])
    func `a database of an unknown version is refused, and nothing is changed in it`(
        change: String, reason: String, detail: String
    ) throws {
        let server = try RunningServer()
        #expect(server.stop() == 0)
        let queue = try DatabaseQueue(path: server.directory + "/mpin.sqlite")
        try queue.write { try $0.execute(sql: change) }
        let before = try queue.read { try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations") }
        let serve = ["serve", "--dir", server.directory, "--listen", "unix:\(server.socket)"]
        for command in [serve, ["user", "list", "--dir", server.directory]] {
            let refused = try Program.run(command)
            #expect(refused.code == 78)
            #expect(refused.errors.contains(reason) && refused.errors.contains(detail), "\(refused.errors)")
        }
        let after = try queue.read { try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations") }
        #expect(after == before)
    }
}

extension Fixture {
    /// Replaces the tables with those of a version's dump, and keeps the rows as far as the columns exist.
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
