// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import Testing

/// `move`: from SQLite to PostgreSQL.
@Suite(.serialized, .withPostgreSQL) struct MoveTests {
    private let postgreSQL: PostgreSQLServer
    private let database: String
    private let server: RunningServer
    private let alice: ClientRegistration

    init() throws {
        postgreSQL = try PostgreSQLServer.shared.get()
        database = try postgreSQL.makeDatabase()
        (server, alice) = try RunningServer.enrolled()
        _ = try server.command("host", "add", "gate")
        for user in 0..<5 { _ = try server.invite("invited\(user)") }
        #expect(try alice.login(pin: "9999", at: server.peer).status == 401)
        #expect(server.stop() == 0)
    }

    private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: server.directory) }

    @Test func `a server moves with all enrollments, counts and invitations`() throws {
        let invitation = try server.invite("bob")
        try server.write(settings: "database = \(database)\n")
        let early = #expect(throws: RunningServer.NotReady.self) { try server.start() }
        #expect(early != nil && server.logText.contains("does not contain a server"), "\(server.logText)")
        let moved = try server.command("move")
        #expect(moved.object["ok"] as? Bool == true && moved.object["rows"] as? Int ?? 0 > 20, "\(moved)")
        try server.start()
        #expect(try alice.login(pin: "9998", at: server.peer).object["attemptsLeft"] as? Int == 1)
        #expect(try alice.login(at: server.peer).status == 200)
        let bob = try ClientRegistration.register("bob", code: invitation, at: server.peer)
        #expect(try bob.login(at: server.peer).status == 200)
        #expect(try server.enroll("carol").login(at: server.peer).status == 200)
        let events = try server.command("audit").object["events"] as? [[String: Any]] ?? []
        #expect(events.contains { $0["event"] as? String == "move" })
        #expect(events.contains { $0["event"] as? String == "init" })
        let former = try #require(moved.object["former"] as? String)
        #expect(FileManager.default.fileExists(atPath: former))
        #expect(!FileManager.default.fileExists(atPath: server.directory + "/state/mpin.sqlite"))
        #expect(server.stop() == 0)
        #expect(try server.command("move").output.contains("contains no SQLite database"))
    }

    @Test func `a move that was interrupted before it renamed the old database is finished by the next`() throws {
        let old = server.directory + "/state/mpin.sqlite"
        try server.write(settings: "database = \(database)\n")
        let former = try #require(try server.command("move").object["former"] as? String)
        try FileManager.default.copyItem(atPath: former, toPath: old)
        #expect(throws: RunningServer.NotReady.self) { try server.start() }
        #expect(server.logText.contains("is still there"), "\(server.logText)")
        #expect(try server.command("move").object["rows"] as? Int == 0)
        try server.start()
        #expect(try alice.login(at: server.peer).status == 200)
        #expect(server.stop() == 0)
        // Not if the old database was used again, also with a clock that was set back.
        let later = "UPDATE audit SET time = time + 3600000 WHERE event = 'move' RETURNING event"
        #expect(try postgreSQL.run(database, later) == "move")
        try FileManager.default.copyItem(atPath: former, toPath: old)
        try server.write(settings: "")
        try server.start()
        #expect(server.stop() == 0)
        try server.write(settings: "database = \(database)\n")
        #expect(try server.command("move").output.contains("contains a server already"))
        #expect(FileManager.default.fileExists(atPath: old))
    }

    @Test func `a move without the setting, or to a database with a server, changes nothing`() throws {
        #expect(try server.command("move").output.contains("no database to move to"))
        let other = try RunningServer(starts: false, database: database)
        try server.write(settings: "database = \(database)\n")
        #expect(try server.command("move").output.contains("contains a server already"))
        withExtendedLifetime(other) {}
        try server.write(settings: "")
        try server.start()
        #expect(try alice.login(at: server.peer).status == 200)
    }

    @Test func `a move that fails half-way leaves an empty database, and the server as it was`() throws {
        let queue = try DatabaseQueue(path: server.directory + "/state/mpin.sqlite")
        // PostgreSQL has no such table. Those before it in the order of names are copied first.
        try queue.write { try $0.execute(sql: "CREATE TABLE invited (id INTEGER PRIMARY KEY)") }
        try server.write(settings: "database = \(database)\n")
        let failed = try server.command("move")
        #expect(failed.code != 0, "\(failed)")
        try postgreSQL.run(database, "DO $$ BEGIN ASSERT to_regclass('setting') IS NULL; END $$")
        #expect(try !files().contains { $0.hasPrefix("mpin.sqlite.before") })
        try queue.write { try $0.execute(sql: "DROP TABLE invited") }
        try queue.close()
        #expect(try server.command("move").object["ok"] as? Bool == true)
    }

    @Test func `a move that is killed anywhere is whole or did not happen`() throws {
        try server.write(settings: "database = \(database)\n")
        var delay = 0.005
        while true {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: try Program.path)
            process.arguments = ["move", "--json", "--dir", server.directory]
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            Thread.sleep(forTimeInterval: delay)
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            delay *= 1.25
            if (try? server.start()) != nil { break }
            // The second: after the commit, and before the file has its new name.
            let reasons = ["does not contain a server", "run it again: mpin-server move"]
            #expect(reasons.contains { server.logText.contains($0) }, "\(server.logText)")
            try #require(delay < 20)
        }
        #expect(try alice.login(pin: "9998", at: server.peer).object["attemptsLeft"] as? Int == 1)
        #expect(try alice.login(at: server.peer).status == 200)
    }
}
