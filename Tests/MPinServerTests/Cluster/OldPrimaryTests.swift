// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServerStorage
import Testing

/// Primaries that another one has replaced, and that accept writes again.
@Suite(.serialized, .withPostgreSQL) struct OldPrimaryTests {
    private static let content = "SELECT sum(wrong), sum(reserved), (SELECT count(*) FROM audit) FROM registration"
    private static let alone = ["-c", "synchronous_standby_names="]

    /// A pair whose primary was replaced by its standby, after the nodes have used it.
    private func promoted() throws -> (pair: PostgreSQLPair, nodes: LiveNodes, device: Device) {
        let pair = try PostgreSQLPair()
        let nodes = try LiveNodes(pair)
        let device = try nodes.first.device("alice")
        pair.primary.kill()
        try pair.promote()
        try pair.standby.run("postgres", "ALTER SYSTEM RESET synchronous_standby_names")
        try pair.standby.run("postgres", "SELECT pg_reload_conf()")
        for server in [nodes.first, nodes.second] {
            #expect(becomes(seconds: 40) { (try? device.login(at: server.peer).status) == 200 })
        }
        return (pair, nodes, device)
    }

    @Test func `a node that has used the new primary never uses the old one, also after a restart`() throws {
        let (pair, nodes, device) = try promoted()
        let guess = try device.login(pin: "9999", at: nodes.second.peer)
        #expect(guess.status == 401)
        try pair.primary.start(options: Self.alone)
        let before = try pair.primary.run("mpin", Self.content)
        nodes.first.kill()
        pair.standby.kill()
        #expect(throws: RunningServer.NotReady.self) { try nodes.first.start() }
        #expect(nodes.first.logText.contains("an old primary"), "\(nodes.first.logText)")
        let listed = try nodes.first.command("user", "list")
        #expect(listed.code != 0 && listed.output.contains("an old primary"), "\(listed)")
        #expect(try pair.primary.run("mpin", Self.content) == before)
        try pair.standby.start()
        try nodes.first.start()
        #expect(try device.login(at: nodes.first.peer).status == 200)
        #expect(try pair.primary.run("mpin", Self.content) == before)
    }

    @Test func `a node that could reach only the old primary leaves it when the new one is back`() throws {
        let (pair, nodes, device) = try promoted()
        #expect(try nodes.second.command("user", "revoke", "alice").code == 0)
        try pair.primary.start(options: Self.alone)
        nodes.first.kill()
        pair.standby.kill()
        // As on a node that was down at the failover.
        try FileManager.default.removeItem(atPath: nodes.first.directory + "/timeline")
        try nodes.first.start()
        #expect(try device.login(at: nodes.first.peer).status == 200)
        try pair.standby.start()
        #expect(becomes(seconds: 20) { (try? device.login(at: nodes.first.peer).status) == 403 })
        #expect(becomes(seconds: 20) { nodes.first.logText.contains("primary is \(pair.standby.directory) now") })
        let before = try pair.primary.run("mpin", Self.content)
        let statuses = try onThreads(8) { [peer = nodes.first.peer] _ in try device.login(at: peer).status }
        #expect(statuses == Array(repeating: 403, count: 8))
        #expect(try pair.primary.run("mpin", Self.content) == before)
    }

    /// Begins the next file of the log of writes.
    private func writeMuch(_ server: PostgreSQLServer) throws {
        try server.run("postgres", "SELECT pg_logical_emit_message(true, '', ''); SELECT pg_switch_wal()")
    }

    @Test func `of two primaries on one timeline, one that is behind is refused, and otherwise both`() throws {
        let (pair, nodes, device) = try promoted()
        let signal = pair.primary.directory + "/data/standby.signal"
        FileManager.default.createFile(atPath: signal, contents: nil)
        try writeMuch(pair.standby)
        // Each node looks how far its primary is.
        _ = becomes(seconds: 8) { false }
        try pair.primary.start(options: Self.alone)
        try pair.primary.run("postgres", "SELECT pg_promote()")
        for _ in 0..<40 {
            for server in [nodes.first, nodes.second] { #expect(try device.login(at: server.peer).status == 200) }
            usleep(200_000)
        }
        nodes.first.kill()
        try nodes.first.start()
        #expect(try device.login(at: nodes.first.peer).status == 200)
        for _ in 0..<3 { try writeMuch(pair.primary) }
        for server in [nodes.first, nodes.second] {
            #expect(becomes(seconds: 20) { (try? device.login(at: server.peer).status) == 503 })
            #expect(server.logText.contains("two hosts are primaries"), "\(server.logText)")
            #expect(server.hasFault("node", "confirmed no write"))
        }
        #expect(try nodes.first.command("user", "list").output.contains("two hosts are primaries"))
        // Not for a moment, although each node looks at the hosts again.
        for _ in 0..<60 {
            for server in [nodes.first, nodes.second] { #expect(try device.login(at: server.peer).status == 503) }
            usleep(200_000)
        }
        pair.primary.kill()
        for server in [nodes.first, nodes.second] {
            #expect(becomes(seconds: 20) { (try? device.login(at: server.peer).status) == 200 })
        }
    }

    @Test func `a copy of the primary from before is refused`() throws {
        let pair = try PostgreSQLPair()
        try pair.primary.run("postgres", "ALTER SYSTEM RESET synchronous_standby_names")
        try pair.primary.run("postgres", "SELECT pg_reload_conf()")
        let nodes = try LiveNodes(pair)
        let device = try nodes.first.device("alice")
        let data = pair.primary.directory + "/data"
        func exchange() throws {
            try FileManager.default.moveItem(atPath: data, toPath: data + ".other")
            try FileManager.default.moveItem(atPath: data + ".copy", toPath: data)
            try FileManager.default.moveItem(atPath: data + ".other", toPath: data + ".copy")
        }
        pair.primary.kill()
        #expect(try Program.run(at: "/bin/cp", ["-a", data, data + ".copy"]).code == 0)
        try pair.primary.start()
        #expect(becomes(seconds: 20) { (try? device.login(pin: "9999", at: nodes.first.peer).status) == 401 })
        // Each node looks where the primary is.
        _ = becomes(seconds: 8) { false }
        pair.primary.kill()
        try exchange()
        try pair.primary.start()
        for server in [nodes.first, nodes.second] {
            #expect(try device.login(pin: "9999", at: server.peer).status == 503)
            #expect(becomes(seconds: 10) { server.logText.contains("an old primary") }, "\(server.logText)")
        }
        pair.primary.kill()
        try exchange()
        try pair.primary.start()
        for server in [nodes.first, nodes.second] {
            #expect(becomes(seconds: 20) { (try? server.health().status) == 200 })
        }
        #expect(try device.login(pin: "9999", at: nodes.second.peer).object["attemptsLeft"] as? Int == 1)
    }

    @Test func `another database than before is refused until the administrator agrees`() throws {
        let nodes = try LiveNodes()
        let file = nodes.first.directory + "/timeline"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        nodes.first.kill()
        for other in ["1 1 1\n", "1 1\n", "x\n", ""] {
            try other.write(toFile: file, atomically: true, encoding: .utf8)
            #expect(throws: RunningServer.NotReady.self, "\(other)") { try nodes.first.start() }
            #expect(nodes.first.logText.contains(file), "\(nodes.first.logText)")
        }
        try FileManager.default.removeItem(atPath: file)
        try nodes.first.start()
        let newer = try String(contentsOfFile: file, encoding: .utf8)
        #expect(newer.split(separator: " ").prefix(2) == text.split(separator: " ").prefix(2), "\(newer)")
    }

    @Test func `an old primary that was only paused is not used again`() throws {
        let pair = try PostgreSQLPair()
        try pair.primary.run("postgres", "ALTER SYSTEM RESET synchronous_standby_names")
        try pair.primary.run("postgres", "SELECT pg_reload_conf()")
        let nodes = try LiveNodes(pair)
        let device = try nodes.first.device("alice")
        // Each node has several connections.
        for server in [nodes.first, nodes.second] {
            _ = try onThreads(8) { [peer = server.peer] _ in try device.login(at: peer).status }
        }
        pair.primary.pause()
        try pair.promote()
        for server in [nodes.first, nodes.second] {
            #expect(becomes(seconds: 40) { (try? device.login(at: server.peer).status) == 200 })
        }
        pair.primary.resume()
        _ = becomes(seconds: 2) { false }
        let before = try pair.primary.run("mpin", Self.content)
        for server in [nodes.first, nodes.second] {
            let statuses = try onThreads(8) { [peer = server.peer] _ in try device.login(at: peer).status }
            #expect(statuses.contains(200), "\(statuses)")
        }
        #expect(try pair.primary.run("mpin", Self.content) == before)
    }
}
