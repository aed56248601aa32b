// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import Testing

/// Databases and backups with the tables of another version.
@Suite(.serialized) struct SchemaTests {
    private static let versions = [1, 5, 7]
    private let reason = "made by another version of mpin-server"
    private let advice = "mpin-server init --dir"

    private func mark(_ file: String, _ version: Int) throws {
        let queue = try DatabaseQueue(path: file)
        try queue.execute("PRAGMA user_version = \(version)")
        try queue.close()
    }

    @Test(.onSQLite) func `init marks the database with the version of its tables`() throws {
        let marks = try Fixture().database.read { database in
            try ["user_version", "application_id"].map { try Int.fetchOne(database, sql: "PRAGMA \($0)") }
        }
        #expect(marks == [6, 0x4D50_494E])
    }

    @Test(arguments: versions)
    func `a database of another version is refused, and nothing is changed in it`(version: Int) throws {
        let server = try RunningServer(starts: false)
        let file = server.directory + "/state/mpin.sqlite"
        try mark(file, version)
        let before = try Data(contentsOf: URL(filePath: file))
        let serve = ["serve", "--dir", server.directory, "--listen", "unix:\(server.socket)"]
        let commands = [
            ["user", "list"], ["invite", "alice"], ["fingerprint"], ["rotate"], ["backup", file + ".copy"],
        ]
        for command in [serve] + commands.map({ $0 + ["--dir", server.directory] }) {
            let refused = try Program.run(command)
            #expect(refused.code == 78, "\(command): \(refused.output)")
            #expect(refused.errors.contains(reason) && refused.errors.contains(advice), "\(refused.errors)")
        }
        #expect(try Data(contentsOf: URL(filePath: file)) == before)
        #expect(!FileManager.default.fileExists(atPath: file + ".copy"))
    }

    @Test(arguments: versions)
    func `a backup of another version is refused, and the database stays`(version: Int) throws {
        let server = try RunningServer()
        let backup = server.directory + "/backup"
        #expect(try server.command("backup", backup).code == 0)
        #expect(server.stop() == 0)
        try AlteredBackup.withoutMAC(Data(contentsOf: URL(filePath: backup))).write(to: URL(filePath: backup))
        try mark(backup, version)
        let file = URL(filePath: server.directory + "/state/mpin.sqlite")
        let before = try Data(contentsOf: file)
        let refused = try Program.run(["restore", backup, "--unauthenticated", "--dir", server.directory])
        #expect(refused.code == 78 && refused.errors.contains(reason), "\(refused.output)\(refused.errors)")
        #expect(refused.errors.contains(backup) && refused.errors.contains(advice), "\(refused.errors)")
        #expect(try Data(contentsOf: file) == before)
        #expect(!FileManager.default.fileExists(atPath: server.directory + "/state.new"))
    }
}
