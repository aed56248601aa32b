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
        let place = NSTemporaryDirectory() + "mpin-tls-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let certificate = try Certificate(place + "/server")
        let server = try PostgreSQLServer()
        defer { server.destroy() }
        let data = server.directory + "/data"
        try server.run("postgres", "CREATE DATABASE own")
        for (file, name) in [(certificate.file, "tls.crt"), (certificate.key, "tls.key")] {
            try FileManager.default.copyItem(atPath: file, toPath: data + "/" + name)
            if getuid() == 0 { chown(data + "/" + name, 65_534, 65_534) }
            chmod(data + "/" + name, 0o600)
        }
        try Data("local all all trust\nhostssl all all 127.0.0.1/32 trust\n".utf8)
            .write(to: URL(fileURLWithPath: data + "/pg_hba.conf"))
        let port = Int.random(in: 20_000..<60_000)
        server.kill()
        try server.start(
            options: [
                "-c", "listen_addresses=127.0.0.1", "-c", "ssl=on", "-c", "ssl_cert_file=tls.crt", "-c",
                "ssl_key_file=tls.key",
            ], port: port)
        let address = "postgresql://mpin@localhost:\(port)/own"
        try expect("certificate verify failed", 69, address)
        // Where its authority is trusted, the name decides.
        guard getuid() == 0 else { return }
        let trusting = [
            "/usr/bin/unshare", "-m", "/bin/sh", "-c",
            "mount --bind '\(certificate.file)' /etc/ssl/certs/ca-certificates.crt && exec \"$@\"", "sh",
        ]
        try expect(
            "does not match host name \"127.0.0.1\"", 69, "postgresql://mpin@127.0.0.1:\(port)/own", by: trusting)
        let host = try Host(address)
        let made = try host.run("init", by: trusting)
        #expect(made.code == 0, "\(made)")
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
