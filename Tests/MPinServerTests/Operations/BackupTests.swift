// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinServer
import Synchronization
import Testing

/// `mpin-server backup` and `restore`, with real servers.
@Suite(.serialized) struct BackupTests {
    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private func mode(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? 0
    }

    private func events(_ server: RunningServer) throws -> [String] {
        let events = try server.command("audit").object["events"] as? [[String: Any]] ?? []
        return events.compactMap { $0["event"] as? String }
    }

    /// A directory that was a server's and is empty now, as on a new machine.
    private func emptied() throws -> RunningServer {
        let server = try RunningServer(starts: false)
        try FileManager.default.removeItem(atPath: server.directory)
        return server
    }

    @Test func `a backup taken during logins is a whole server on another machine`() throws {
        let server = try RunningServer()
        let peer = server.peer
        let users = try (0..<3).map { try server.enroll("user\($0)") }
        let mallory = try server.enroll("mallory")
        for _ in 0..<3 { _ = try mallory.login(pin: "9999", at: peer) }
        let file = server.directory + "/backup"
        let isOver = Atomic(false)
        let underWay = DispatchSemaphore(value: 0)
        let loads = DispatchGroup()
        for user in users {
            loads.enter()
            Thread.detachNewThread {
                while !isOver.load(ordering: .relaxed) {
                    guard (try? user.login(at: peer).status) == 200 else { break }
                    underWay.signal()
                }
                loads.leave()
            }
        }
        for _ in 0..<6 { #expect(underWay.wait(timeout: .now() + 600) == .success) }
        let taken = try server.command("backup", file, "--with-key")
        isOver.store(true, ordering: .relaxed)
        #expect(loads.wait(timeout: .now() + 600) == .success)
        #expect(taken.code == 0)
        #expect(try [mode(file), mode(file + ".key")] == [0o600, 0o600])
        #expect(!exists(file + "-wal") && !exists(file + "-journal"))
        // After the backup, and so undone.
        #expect(try server.command("user", "revoke", "user0").code == 0)

        let other = try emptied()
        let restored = try other.command("restore", file)
        #expect(restored.code == 0)
        #expect(restored.object["before"] == nil)
        try other.start()
        for user in users { #expect(try user.login(at: other.peer).string("userId") == user.user) }
        #expect(try mallory.login(at: other.peer).status == 410)
        #expect(try other.command("user", "show", "mallory").object["state"] as? String == "BLOCKED")
        let kinds = try events(other)
        #expect(kinds.contains("backup") && kinds.contains("restore-backup"))
    }

    @Test func `the former database is kept, and lost changes are named`() throws {
        let (server, alice) = try RunningServer.enrolled()
        let file = server.directory + "/backup"
        #expect(
            try Program.run(["backup", file, "--dir", server.directory]).output.contains("The backup contains no key"))
        for _ in 0..<3 { _ = try alice.login(pin: "9999", at: server.peer) }
        #expect(try alice.login(at: server.peer).status == 410)
        // Killed, so that the newest is in the log alone, which must not be written into what comes in its place.
        server.kill()
        let restored = try Program.run(["restore", file, "--dir", server.directory])
        #expect(restored.code == 0)
        #expect(restored.output.contains("counted wrong PINs, blocks, revocations and used codes"))
        let kept = try FileManager.default.contentsOfDirectory(atPath: server.directory).filter {
            $0.hasPrefix("state.before-")
        }
        #expect(kept.count == 1)
        #expect(restored.output.contains("\(server.directory)/\(kept.first ?? "-")"))
        try server.start()
        #expect(try alice.login(at: server.peer).status == 200)
        #expect(server.stop() == 0)
        // The kept database is intact, and she is still blocked in it.
        let state = server.directory + "/state"
        try FileManager.default.removeItem(atPath: state)
        #expect(rename("\(server.directory)/\(kept.first ?? "-")", state) == 0)
        #expect(try server.command("user", "show", "alice").object["state"] as? String == "BLOCKED")
    }

    @Test func `nothing is overwritten, and nothing is restored under a server`() throws {
        let server = try RunningServer()
        let file = server.directory + "/backup"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
        let refused = try server.command("backup", file)
        #expect(refused.code == 73)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("mine".utf8))
        try FileManager.default.removeItem(atPath: file)
        #expect(try server.command("backup", file).code == 0)
        let running = try server.command("restore", file)
        #expect(running.code == 69)
        #expect(running.output.contains("another mpin-server (process "))
        #expect(try !events(server).contains("restore-backup"))
    }

    @Test func `a file that is not a backup of this server changes nothing`() throws {
        let server = try RunningServer()
        let file = server.directory + "/backup"
        let other = file + ".other"
        #expect(try server.command("backup", file).code == 0)
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(server.stop() == 0)
        let database = URL(fileURLWithPath: server.directory + "/state/mpin.sqlite")
        let before = try Data(contentsOf: database)
        func expectRefused(_ data: Data, _ code: Int32, _ reason: String, options: String...) throws {
            try data.write(to: URL(fileURLWithPath: other))
            let result = try Program.run(["restore", other, "--dir", server.directory, "--json"] + options)
            #expect(result.code == code, "\(reason)")
            #expect(result.output.contains(reason), "\(result.output)")
            #expect(try Data(contentsOf: database) == before)
        }
        try expectRefused(Data("nonsense".utf8), 65, "is not an mpin-server backup")
        try expectRefused(Data(), 65, "is not an mpin-server backup")
        try expectRefused(before, 65, "was not made by 'mpin-server backup'", options: "--unauthenticated")
        try expectRefused(whole.prefix(whole.count / 2), 74, "is damaged or incomplete")
        let forged = server.directory + "/forged"
        try AlteredBackup.withoutMAC(whole).write(to: URL(fileURLWithPath: forged))
        try DatabaseQueue(path: forged).execute(
            """
            CREATE TRIGGER never AFTER UPDATE OF revoked ON registration
            BEGIN UPDATE registration SET revoked = NULL; END
            """)
        try expectRefused(
            Data(contentsOf: URL(fileURLWithPath: forged)), 65, "it contains triggers or views",
            options: "--unauthenticated")
        let stranger = try RunningServer()
        try FileManager.default.removeItem(atPath: other)
        #expect(try stranger.command("backup", other).code == 0)
        try expectRefused(Data(contentsOf: URL(fileURLWithPath: other)), 78, "is not the key of this backup")
        #expect(!exists(server.directory + "/state.new"))
        let bare = try emptied()
        let keyless = try bare.command("restore", file)
        #expect(keyless.code == 78)
        #expect(keyless.output.contains("has no key"))
        #expect(try bare.command("restore", file, "--key", server.directory + "/state/seal.key").code == 0)
    }
}
