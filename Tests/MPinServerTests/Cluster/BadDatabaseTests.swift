// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Databases that a server cannot use: each is reported with its reason, and nothing starts.
@Suite(.serialized, .withPostgreSQL) struct BadDatabaseTests {
    /// A directory without a server, whose settings name a database.
    private struct Host {
        let directory = NSTemporaryDirectory() + "mpin-host-" + UUID().uuidString.prefix(8)

        init(_ database: String, password: String? = nil) throws {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            var settings = "database = \(database)\n"
            if let password {
                let file = directory + "/password"
                FileManager.default.createFile(
                    atPath: file, contents: Data((password + "\n").utf8), attributes: [.posixPermissions: 0o600])
                settings += "database_password_file = \(file)\n"
            }
            try Data(settings.utf8).write(to: URL(fileURLWithPath: directory + "/server.conf"))
        }

        func run(_ words: String..., by launcher: [String] = []) throws -> Program.Result {
            let all = try launcher + [Program.path] + words + ["--dir", directory]
            return try Program.run(at: all[0], Array(all.dropFirst()))
        }
    }

    /// Expects `init` to fail with a reason, within a few seconds.
    private func expect(
        _ reason: String, _ code: Int32, _ database: String, password: String? = nil, by launcher: [String] = [],
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let host = try Host(database, password: password)
        let start = ContinuousClock.now
        let made = try host.run("init", by: launcher)
        #expect(made.code == code && made.errors.contains(reason), "\(made)", sourceLocation: location)
        #expect(ContinuousClock.now - start < .seconds(20), sourceLocation: location)
        #expect(!FileManager.default.fileExists(atPath: host.directory + "/state"), sourceLocation: location)
        try FileManager.default.removeItem(atPath: host.directory)
    }

    @Test func `an encoding that cannot store all names`() throws {
        let server = try PostgreSQLServer.shared.get()
        try server.run("postgres", "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
        try expect("has the encoding LATIN1", 78, "postgresql://mpin@\(server.host)/latin")
    }

    @Test func `roles, passwords and connections`() throws {
        let server = try PostgreSQLServer(options: ["-c", "max_connections=8"])
        defer { server.destroy() }
        try server.run(
            "postgres",
            """
            CREATE ROLE clerk LOGIN PASSWORD 'right'; CREATE ROLE poor LOGIN PASSWORD 'right';
            """)
        try server.run("postgres", "CREATE DATABASE own OWNER clerk")
        let rules = "local all mpin trust\nlocal all all scram-sha-256\n"
        try Data(rules.utf8).write(to: URL(fileURLWithPath: server.directory + "/data/pg_hba.conf"))
        try server.run("postgres", "SELECT pg_reload_conf()")
        let own = "postgresql://clerk@\(server.host)/own"
        try expect("no password supplied", 69, own)
        try expect("password authentication failed for user \"clerk\"", 69, own, password: "wrong")
        try expect(
            "password authentication failed for user \"nobody\"", 69, "postgresql://nobody@\(server.host)/own",
            password: "right")
        try expect("database \"none\" does not exist", 69, "postgresql://clerk@\(server.host)/none", password: "right")
        try expect(
            "the role has no rights to the tables", 77, "postgresql://poor@\(server.host)/own", password: "right")
        let host = try Host(own, password: "right")
        #expect(try host.run("init").code == 0)
        // The tables exist now.
        let poor = try Host("postgresql://poor@\(server.host)/own", password: "right")
        let joined = try poor.run("join", "--key", host.directory + "/state/seal.key")
        #expect(joined.code == 77 && joined.errors.contains("the role has no rights to the tables"), "\(joined)")
        let sessions = try (0..<5).map { _ in
            try server.session("postgres", "SET ROLE clerk; SELECT pg_sleep(30)")
        }
        defer { for session in sessions { session.terminate() } }
        #expect(
            becomes(seconds: 20) {
                (try? server.run("postgres", "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%'"))
                    == "6"
            })
        let full = try host.run("status")
        #expect(
            full.output.contains("remaining connection slots") || full.errors.contains("remaining connection slots"),
            "\(full)")
    }

    @Test func `certificates of other hosts, and of authorities that this machine does not trust`() throws {
        let database = try TLSDatabase()
        try expect("certificate verify failed", 69, database.address())
        // Where its authority is trusted, the name decides.
        guard getuid() == 0 else { return }
        try expect(
            "does not match host name \"127.0.0.1\"", 69, database.address("127.0.0.1"), by: database.trusting)
        let host = try Host(database.address())
        let made = try host.run("init", by: database.trusting)
        #expect(made.code == 0, "\(made)")
    }

    @Test(.enabled(if: getuid() == 0)) func `a server that is stopped while it connects with TLS ends in order`() throws
    {
        let database = try TLSDatabase()
        let host = try Host(database.address())
        #expect(try host.run("init", by: database.trusting).code == 0)
        for _ in 0..<25 { try stopsWhileItConnects(host, by: database.trusting) }
    }

    /// Starts a server, and stops it while it makes connections.
    private func stopsWhileItConnects(_ host: Host, by launcher: [String]) throws {
        let socket = host.directory + "/status"
        let process = Process()
        let words = try launcher + [Program.path, "serve", "--dir", host.directory, "--status", "unix:" + socket]
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = words.dropFirst() + ["--listen", "unix:\(host.directory)/socket"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        #expect(!output.fileHandleForReading.availableData.isEmpty)
        let background = Background()
        for _ in 0..<3 { background.start { _ in _ = try? SocketPeer(path: socket).get("/healthz") } }
        usleep(.random(in: 5_000...60_000))
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0, "\(process.terminationStatus)")
        try background.stop()
    }

    @Test func `a database whose transaction numbers are nearly used up still works`() throws {
        // PostgreSQL warns at each transaction then. A slot keeps it from reusing numbers.
        let server = try PostgreSQLServer(options: ["-c", "wal_level=logical"])
        defer { server.destroy() }
        try server.run("postgres", "CREATE DATABASE own")
        let host = try Host("postgresql://mpin@\(server.host)/own")
        #expect(try host.run("init").code == 0)
        try server.run("own", "SELECT pg_create_logical_replication_slot('slot', 'pgoutput')")
        try server.run("own", "CHECKPOINT")
        server.kill()
        try server.start(
            making: """
                /bin/sh -c '"$0" -f -x 2107600000 data && head -c 262144 /dev/zero >data/pg_xact/07D9' "$1/pg_resetwal"
                """,
            options: ["-c", "wal_level=logical", "-c", "autovacuum=off"])
        let invited = try host.run("invite", "alice")
        #expect(invited.code == 0, "\(invited)")
        let log = try String(contentsOfFile: server.directory + "/log", encoding: .utf8)
        #expect(log.contains("must be vacuumed within"))
    }

    @Test func `only a standby that accepts no writes`() throws {
        let pair = try PostgreSQLPair()
        try expect("session is read-only", 69, "postgresql://mpin@\(pair.standby.host)/mpin")
    }

    @Test func `of two inits at once, one makes the server, and two nodes join it at once`() throws {
        let database = try PostgreSQLServer.shared.get().makeDatabase()
        let hosts = try (0..<6).map { _ in try Host(database) }
        let made = try onThreads(6) { try hosts[$0].run("init") }
        #expect(made.count { $0.code == 0 } == 1, "\(made)")
        #expect(made.count { $0.errors.contains("contains a server already") } == 5, "\(made)")
        let winner = try #require(made.firstIndex { $0.code == 0 })
        let key = hosts[winner].directory + "/state/seal.key"
        let others = hosts.indices.filter { $0 != winner }
        let joined = try onThreads(5) { try hosts[others[$0]].run("join", "--key", key) }
        #expect(joined.allSatisfy { $0.code == 0 }, "\(joined)")
    }
}
