// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServerStorage
import Testing

/// The nodes of a shared database, as processes: what they know of each other, and what a balancer learns of them.
@Suite(.serialized, .withPostgreSQL) struct NodeTests {
    private func nodes(_ server: RunningServer) throws -> [[String: Any]] {
        try server.command("status").object["nodes"] as? [[String: Any]] ?? []
    }

    @Test func `a node that is killed leaves exact counts to the other`() throws {
        let nodes = try LiveNodes()
        let alice = try nodes.first.enroll("alice")
        #expect(try alice.login(pin: "9999", at: nodes.first.peer).object["attemptsLeft"] as? Int == 2)
        #expect(try alice.login(pin: "9998", at: nodes.second.peer).object["attemptsLeft"] as? Int == 1)
        nodes.first.kill()
        #expect(try alice.login(at: nodes.second.peer).status == 200)
        for left in [2, 1] {
            #expect(try alice.login(pin: "9999", at: nodes.second.peer).object["attemptsLeft"] as? Int == left)
        }
        try nodes.first.start()
        #expect(try alice.login(pin: "9999", at: nodes.first.peer).status == 410)
        #expect(try alice.login(at: nodes.second.peer).status == 410)
    }

    @Test func `status lists the nodes, and warns about different settings`() throws {
        let nodes = try LiveNodes(configuration: "", second: "max_invalid_login_attempts = 5\n")
        #expect(try nodes.first.health().object["node"] as? String == "ok")
        let both = try self.nodes(nodes.first)
        #expect(both.count == 2 && both.allSatisfy { $0["running"] as? Bool == true }, "\(both)")
        let status = try nodes.first.command("status")
        let warnings = status.object["warnings"] as? [String] ?? []
        #expect(warnings.contains { $0.contains("different settings") && $0.contains("login_attempts = 5") })
        #expect(warnings.contains { $0.contains("no standby") })
        #expect(nodes.second.stop() == 0)
        let stopped = try self.nodes(nodes.first).filter { $0["running"] as? Bool == false }
        #expect(stopped.count == 1 && stopped[0]["stopped"] is String)
        let later = try nodes.first.command("status").object["warnings"] as? [String] ?? []
        #expect(!later.contains { $0.contains("different settings") })
        let text = try Program.run(["status", "--dir", nodes.first.directory])
        #expect(text.output.contains("Database: PostgreSQL 1") && text.output.contains(nodes.second.directory))
        #expect(!text.output.contains("Last backup"))
    }

    @Test func `a node whose clock is off is not healthy`() throws {
        let nodes = try LiveNodes(starts: false)
        let places = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib")
        let library = try #require(
            places.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }
                .first(where: FileManager.default.fileExists(atPath:)))
        try nodes.second.start(
            environment: ["LD_PRELOAD": library, "FAKETIME": "+9s", "FAKETIME_DONT_FAKE_MONOTONIC": "1"])
        #expect(nodes.second.hasFault("node", "clock differs"))
        #expect(try nodes.second.peer.get("/rps/clientSettings").status == 503)
        // Otherwise systemd would restart it again and again.
        #expect(try nodes.second.health().object["requests"] as? String == "ok")
        try nodes.first.start()
        #expect(try nodes.first.health().status == 200)
        let warnings = try nodes.first.command("status").object["warnings"] as? [String] ?? []
        #expect(warnings.contains { $0.contains(nodes.second.directory) && $0.contains("+9.") || $0.contains("+8.") })
    }

    @Test func `a node whose row another server has taken is not healthy`() throws {
        let nodes = try LiveNodes()
        try nodes.postgreSQL.run(nodes.database, "UPDATE node SET instance = 1")
        #expect(nodes.first.hasFault("node", "another server writes"))
    }

    @Test func `a node whose writes are not confirmed is not healthy, and recovers`() throws {
        let nodes = try LiveNodes()
        let lock = try nodes.postgreSQL.session(nodes.database, "BEGIN; LOCK TABLE node; SELECT pg_sleep(20)")
        #expect(nodes.first.hasFault("node", "confirmed no write"))
        lock.waitUntilExit()
        #expect(becomes(seconds: 30) { (try? nodes.first.health().status) == 200 })
    }

    @Test func `a database that hangs makes the node unhealthy, but does not end it`() throws {
        let pair = try PostgreSQLPair()
        let nodes = try LiveNodes(pair)
        let alice = try nodes.first.enroll("alice")
        #expect(nodes.first.stop() == 0)
        let manager = try NotifySocket()
        try nodes.first.start(environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "4000000"])
        pair.primary.pause()
        // More than there are threads, each of which waits for the database.
        let background = Background()
        let peer = nodes.first.peer
        for _ in 0..<40 {
            background.start { isGoing in while isGoing() { _ = try? peer.get("/rps/timePermit/\(alice.mpinID)") } }
        }
        #expect(nodes.first.hasFault("node", "confirmed no write"))
        for _ in 0..<8 { _ = try manager.next(with: "WATCHDOG") }
        #expect(!nodes.first.logText.contains("the watchdog is not notified"), "\(nodes.first.logText)")
        pair.primary.resume()
        try background.stop()
        #expect(becomes(seconds: 30) { (try? nodes.first.health().status) == 200 })
    }

    @Test func `status says how many synchronous standbys are missing`() throws {
        let pair = try PostgreSQLPair()
        let nodes = try LiveNodes(pair)
        func warnings() throws -> [String] {
            try nodes.first.command("status").object["warnings"] as? [String] ?? []
        }
        #expect(becomes(seconds: 10) { (try? warnings()) == [] })
        for (names, missing) in [("ANY 2 (*)", "1 of the 2"), ("2 (a, b)", "0 of the 2"), ("a", "0 of the 1")] {
            try pair.primary.run("postgres", "ALTER SYSTEM SET synchronous_standby_names = '\(names)'")
            try pair.primary.run("postgres", "SELECT pg_reload_conf()")
            #expect(becomes(seconds: 10) { (try? warnings().contains { $0.contains(missing) }) == true }, "\(names)")
        }
    }

    @Test func `rotate needs all nodes stopped, and then each joins again`() throws {
        let nodes = try LiveNodes()
        let alice = try nodes.first.enroll("alice")
        #expect(nodes.first.stop() == 0)
        let refused = try nodes.first.command("rotate")
        #expect(refused.code == 69 && refused.output.contains(nodes.second.directory), "\(refused)")
        #expect(nodes.second.stop() == 0)
        #expect(try nodes.first.command("rotate").object["ok"] as? Bool == true)
        try nodes.first.start()
        #expect(try alice.login(at: nodes.first.peer).status == 200)
        #expect(throws: RunningServer.NotReady.self) { try nodes.second.start() }
        #expect(nodes.second.logText.contains("does not open the database"))
        let wrong = try nodes.second.command("join", "--key", nodes.second.directory + "/state/seal.key")
        #expect(wrong.code != 0 && wrong.output.contains("does not open the database"), "\(wrong)")
        let joined = try nodes.second.command("join", "--key", nodes.first.directory + "/state/seal.key")
        #expect(joined.object["ok"] as? Bool == true, "\(joined)")
        try nodes.second.start()
        #expect(try alice.login(at: nodes.second.peer).status == 200)
        let audit = try nodes.first.command("audit").object["events"] as? [[String: Any]] ?? []
        #expect(audit.count { $0["event"] as? String == "join" } == 2)
    }

    @Test func `join refuses a directory with a server of its own, and one without the setting`() throws {
        let nodes = try LiveNodes(starts: false)
        let key = nodes.first.directory + "/state/seal.key"
        let own = try RunningServer(starts: false)
        #expect(try own.command("join", "--key", key).output.contains("no database of a server to join"))
        try own.write(settings: "database = \(nodes.database)\n")
        #expect(try own.command("join", "--key", key).output.contains("contains a server of its own"))
        #expect(FileManager.default.fileExists(atPath: own.directory + "/state/mpin.sqlite"))
        try own.write(settings: "")
        try own.start()
    }

    @Test func `what belongs to SQLite is refused with the tools of PostgreSQL`() throws {
        let nodes = try LiveNodes(starts: false)
        let backup = try nodes.first.command("backup", nodes.first.directory + "/backup")
        #expect(backup.code != 0 && backup.output.contains("PostgreSQL"), "\(backup)")
        let doctor = try nodes.first.command("doctor").output
        #expect(doctor.contains("no standby") && !doctor.contains("no backup"))
    }

    @Test func `two nodes make one CA for ssh, and both use it at once`() throws {
        let nodes = try LiveNodes()
        let servers = [nodes.first, nodes.second].map(\.directory)
        let made = try onThreads(8) { try Program.run(["ssh", "enable", "--json", "--dir", servers[$0 % 2]]).code }
        #expect(made.contains(0))
        let keys = try servers.map { try Program.run(["ssh", "key", "--dir", $0]).output }
        #expect(keys[0].hasPrefix("ssh-") || keys[0].hasPrefix("ecdsa-"), "\(keys)")
        #expect(keys[0] == keys[1])
    }

    @Test func `a follower of the audit log misses no event that commits late`() throws {
        let nodes = try LiveNodes(starts: false)
        let follower = try FollowedLog(nodes.first.directory, ["--json", "--limit", "100"])
        _ = follower.lines(2)
        let insert = "INSERT INTO audit (time, event, user_id) VALUES (1000, 'login', "
        let late = try nodes.postgreSQL.session(
            nodes.database, "BEGIN; \(insert)'early'); SELECT pg_sleep(4); COMMIT")
        Thread.sleep(forTimeInterval: 1)
        for number in 0..<5 { try nodes.postgreSQL.run(nodes.database, "\(insert)'user\(number)')") }
        late.waitUntilExit()
        let lines = follower.lines(8)
        #expect(lines.count == 8 && lines.count { $0.contains("early") } == 1, "\(lines)")
    }
}
