// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import Glibc
import Testing

/// The status socket: its answers, and who gets them.
@Suite(.serialized) struct StatusTests {
    /// A server with a status socket, which is removed with it.
    private struct Watched {
        let server: RunningServer
        let path: String
        var peer: SocketPeer { SocketPeer(path: path) }

        init(_ configuration: String = "") throws {
            path = NSTemporaryDirectory() + "mpin-status-" + UUID().uuidString.prefix(8)
            server = try RunningServer(configuration: "status_socket = \(path)\n" + configuration)
            // It is opened beside the other one, and perhaps after it.
            let path = path
            guard becomes({ (try? SocketPeer(path: path).get("/nothing").status) == 404 }) else {
                throw RunningServer.NotReady(errors: server.logText)
            }
        }

        /// The samples of `/metrics`, by name and labels.
        func metrics() throws -> [String: Double] {
            let answer = try peer.get("/metrics")
            var samples: [String: Double] = [:]
            for line in answer.text.split(separator: "\n") where !line.hasPrefix("#") {
                let parts = line.split(separator: " ")
                samples[parts.dropLast().joined(separator: " ")] = Double(parts.last ?? "")
            }
            return samples
        }
    }

    @Test func `a healthy server reports that in one line, at its status socket alone`() throws {
        let watched = try Watched()
        let answer = try watched.peer.get("/healthz")
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == "application/json")
        #expect(answer.text.filter { $0 == "\n" }.count == 1)
        #expect(answer.object["ok"] as? Bool == true)
        for part in ["listener", "requests", "database", "clock", "authority1", "authority2"] {
            #expect(answer.string(part) == "ok", "\(part)")
        }
        #expect(try watched.peer.get("/rps/clientSettings").status == 404)
        #expect(try watched.peer.post("/healthz", [UInt8]()).status == 405)
        for path in ["/healthz", "/metrics"] { #expect(try watched.server.peer.get(path).status == 404) }
        #expect(watched.server.stop() == 0)
        #expect(!FileManager.default.fileExists(atPath: watched.path))
    }

    /// A floor is 150 seconds behind the clock.
    @Test(arguments: [("UPDATE registration SET floor = ?", 150), ("UPDATE horizon SET time = ?", 0)])
    func `status and the log say that the clock was ahead`(statement: String, behind: Int64) throws {
        let watched = try Watched()
        let server = watched.server
        _ = try server.device("alice")
        let database = try DatabaseQueue.waiting(server.directory + "/state/mpin.sqlite")
        func move(_ seconds: Int64) throws {
            try database.execute(statement, [Int64(Date().timeIntervalSince1970 * 1_000) + (seconds - behind) * 1_000])
        }
        try move(290)
        #expect(try becomes { try watched.peer.get("/healthz").status == 200 })
        #expect(try server.command("status").object["clockFault"] == nil)
        try move(86_400)
        let fault = "the clock was ahead: logins were accepted with times that it reaches in 23 h 59 min"
        let health = try watched.peer.get("/healthz")
        #expect(health.status == 200 && health.string("clock") == fault, "\(health.text)")
        let status = try server.command("status").object
        #expect(status["clockFault"] as? String == fault && status["fault"] == nil)
        server.kill()
        try server.start()
        #expect(becomes { server.logText.contains(fault) })
    }

    @Test func `only the parts that do not answer are named`() throws {
        let watched = try Watched()
        let database = watched.server.directory + "/state/mpin.sqlite"
        // On a busy machine a healthy server may miss its two seconds.
        func failing() throws -> [String] {
            let answer = try watched.peer.get("/healthz")
            #expect(answer.status == (answer.object["ok"] as? Bool == true ? 200 : 503))
            return answer.object.filter { $0.key != "ok" && $0.value as? String != "ok" }.keys.sorted()
        }
        #expect(try becomes { try failing() == [] })
        #expect(rename(database, database + ".away") == 0)
        #expect(try becomes { try failing() == ["database"] })
        #expect(rename(database + ".away", database) == 0)
        #expect(try becomes { try failing() == [] })
        #expect(rename(watched.server.socket, watched.server.socket + ".away") == 0)
        #expect(try becomes { try failing() == ["listener"] })
        #expect(rename(watched.server.socket + ".away", watched.server.socket) == 0)
        let queue = try DatabaseQueue.waiting(database)
        try queue.write { try $0.execute(sql: "UPDATE authority SET share = zeroblob(60) WHERE number = 2") }
        try queue.close()
        #expect(try becomes { try failing() == ["authority2"] })
        let holder = try DatabaseHolder(watched.server.directory)
        #expect(try failing().contains("database"))
        try holder.end()
    }

    /// What keeps every login from being written, as shell commands that do it in the server's directory and undo it.
    enum Obstacle: CaseIterable {
        case full, readOnly

        var commands: (begin: String, end: String) {
            switch self {
            case .full: ("dd if=/dev/zero of=filling bs=4096 2>/dev/null; true", "rm filling")
            // As the kernel does after an error of the disk.
            case .readOnly: ("mount -o remount,abort .", "")
            }
        }

        var reason: String {
            switch self {
            case .full: "disk is full"
            case .readOnly: "disk I/O error"
            }
        }
    }

    /// The server's directory is a file system of its own, in a mount namespace of its own.
    @Test(.enabled(if: getuid() == 0), arguments: Obstacle.allCases)
    func `what keeps every login from being written is a fault, and no reason for a restart`(_ obstacle: Obstacle)
        throws
    {
        let server = try RunningServer()
        let alice = try server.enroll("alice")
        #expect(server.stop() == 0)
        let (status, image) = (server.directory + ".status", server.directory + ".image")
        defer { for file in [status, image] { try? FileManager.default.removeItem(atPath: file) } }
        let kind = obstacle == .full ? "tmpfs -o size=1m,mode=0700 none" : "ext4 -o loop \"$image\""
        let script = """
            set -e; cd "$1"; image=$2; shift 2
            truncate -s 8m "$image"; mkfs.ext4 -q "$image"
            mkdir "$PWD.kept"; cp -a . "$PWD.kept"; mount -t \(kind) "$PWD"; cd "$PWD"; chmod 700 .
            cp -a "$PWD.kept/." .; rm -r "$PWD.kept"; exec "$@"
            """
        let manager = try NotifySocket()
        try server.start(
            options: ["--status", "unix:\(status)"],
            by: [
                "/usr/bin/unshare", "-m", "--propagation", "private", "/bin/bash", "-c", script, "bash",
                server.directory, image,
            ], environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "2000000"])
        func inside(_ command: String) throws -> Program.Result {
            try Program.run(
                at: "/usr/bin/nsenter",
                [
                    "-t", "\(server.processIdentifier)", "-m", "/bin/bash", "-c", "cd \"$1\" && { \(command); }",
                    "bash",
                    server.directory, try Program.path,
                ])
        }
        let peer = SocketPeer(path: status)
        // The status socket may open later than the listener.
        #expect(becomes { (try? peer.get("/healthz").status) == 200 })
        #expect(try alice.login(at: server.peer).status == 200)

        let begun = try inside(obstacle.commands.begin)
        try #require(begun.code == 0, "\(begun)")
        #expect(try alice.login(at: server.peer).status != 200)
        let health = try peer.get("/healthz")
        #expect(health.status == 503 && health.string("database").contains(obstacle.reason), "\(health.text)")
        #expect(try peer.get("/metrics").text.contains("\nmpin_healthy{part=\"database\"} 0\n"))
        let said = try inside("\"$2\" status --dir .")
        #expect(said.output.contains("Health: database: ") && said.output.contains(obstacle.reason), "\(said)")
        // A restart would not help, so the service manager gets its signs of life.
        for _ in 0..<3 { _ = try manager.next(with: "WATCHDOG") }

        guard !obstacle.commands.end.isEmpty else { return }
        #expect(try inside(obstacle.commands.end).code == 0)
        #expect(try becomes { try peer.get("/healthz").status == 200 })
        #expect(try alice.login(at: server.peer).status == 200)
        #expect(server.stop() == 0)
    }

    /// Logins may go on for a while with what the server remembers, and are lost with its end.
    @Test(arguments: [
        ("cp \"$1\" x; mv x mpin.sqlite", "the file was deleted or replaced"),
        ("rm mpin.sqlite-wal", "the file was deleted or replaced"),
        ("rm mpin.sqlite-shm", "the file was deleted or replaced"),
        ("cat \"$1\" >mpin.sqlite", "the key does not open the master share 1"),
        (": >mpin.sqlite", "is damaged: "),
    ])
    func `a database that is replaced under the server is a fault`(_ command: String, _ reason: String) throws {
        let watched = try Watched()
        let other = try RunningServer()
        #expect(other.stop() == 0)
        #expect(try becomes { try watched.peer.get("/healthz").status == 200 })
        let run = try Program.run(
            at: "/bin/sh",
            [
                "-c", "cd \"$2/state\" && { \(command); }", "sh", other.directory + "/state/mpin.sqlite",
                watched.server.directory,
            ])
        #expect(run.code == 0, "\(run)")
        // SQLite may notice first, or read from its cache once.
        var text = ""
        let isNamed = try becomes {
            let health = try watched.peer.get("/healthz")
            text = health.text
            return health.status == 503 && [reason, "disk I/O error"].contains { text.contains($0) }
        }
        #expect(isNamed, "\(text)")
    }

    @Test(.enabled(if: getuid() == 0))
    func `only root and the server's own account are answered`() throws {
        let watched = try Watched()
        let facts = try FileManager.default.attributesOfItem(atPath: watched.path)
        #expect(facts[.posixPermissions] as? Int == 0o660)
        let script = """
            import socket, sys
            s = socket.socket(socket.AF_UNIX)
            s.connect(sys.argv[1])
            try:
                s.sendall(b"GET /healthz HTTP/1.0\\r\\n\\r\\n")
            except BrokenPipeError:
                pass
            try:
                print(len(s.recv(1000)))
            except ConnectionResetError:
                print(0)
            """
        func ask(as user: String) throws -> String {
            // In the group of the socket, whose mode lets it connect.
            try Program.run(
                at: "/usr/bin/setpriv",
                ["--reuid=\(user)", "--regid=0", "--clear-groups", "/usr/bin/python3", "-c", script, watched.path]
            ).output
        }
        #expect(try ask(as: "65534") == "0\n")
        #expect(try Int(ask(as: "0").dropLast()) ?? 0 > 100)
    }

    @Test func `the metrics count what happens, and name no user`() throws {
        let watched = try Watched("failures_per_source = 4\nfailure_refill_seconds = 3600\n")
        let server = watched.server
        let alice = try server.enroll("alice")
        #expect(try alice.login(at: server.peer).status == 200)
        for _ in 0..<3 { _ = try alice.login(pin: "9999", at: server.peer) }
        #expect(try alice.login(at: server.peer).status == 410)
        for _ in 0..<6 {
            _ = try server.peer.put("/rps/user", ["userId": "bob", "activateCode": "0000-0000-0000-0000"])
        }
        let large = ["userId": String(repeating: "x", count: 1 << 20)]
        #expect(try server.peer.put("/rps/user", large).status == 413)
        let text = try watched.peer.get("/metrics").text
        let metrics = try watched.metrics()
        #expect(metrics["mpin_logins_total{result=\"right\"}"] == 1)
        #expect(metrics["mpin_logins_total{result=\"wrong\"}"] == 3)
        #expect(metrics["mpin_logins_total{result=\"refused\"}"] == 1)
        #expect(metrics["mpin_registrations_total{result=\"begun\"}"] == 1)
        #expect(metrics["mpin_registrations_total{result=\"enrolled\"}"] == 1)
        #expect(metrics["mpin_registrations_total{result=\"refused\"}"] == 4)
        #expect(metrics["mpin_rate_limited_requests_total"] == 2)
        #expect(metrics["mpin_requests_total{class=\"registering\",status=\"429\"}"] == 2)
        #expect(metrics["mpin_requests_total{class=\"registering\",status=\"413\"}"] == 1)
        #expect(metrics["mpin_requests_total{class=\"verifying\",status=\"200\"}"] == 5)
        #expect(metrics["mpin_blocked_users"] == 1 && metrics["mpin_build_info{version=\"0.1.0\"}"] == 1)
        #expect(metrics["mpin_queue_length{queue=\"verifying\"}"] == 0)
        #expect(metrics["mpin_queue_length{queue=\"commit\"}"] != nil)
        let commits = try #require(metrics["mpin_database_commit_seconds_count"])
        #expect(commits >= 5)
        #expect(metrics["mpin_database_commit_seconds_bucket{le=\"+Inf\"}"] ?? 0 >= commits)
        #expect(metrics["mpin_certificate_expiry_timestamp_seconds"] == nil)
        for secret in ["alice", "bob", alice.mpinID, alice.mpinID.uppercased()] { #expect(!text.contains(secret)) }
        // Each name is explained before its samples, and each line has the form of the format.
        var explained = Set<Substring>()
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# TYPE ") { explained.insert(line.split(separator: " ")[2]) }
            guard !line.hasPrefix("#") else { continue }
            #expect(
                line.wholeMatch(of: /[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[0-9.e+-]+/) != nil, "\(line)")
            let name = line.prefix { $0 != "{" && $0 != " " }
            let family = name.replacing(/_(bucket|sum|count)$/, with: "")
            #expect(explained.contains(name) || explained.contains(Substring(family)), "\(line)")
        }
    }

    @Test func `the command line overrides the file, and clients have a socket of their own`() throws {
        let watched = try Watched()
        let server = watched.server
        #expect(server.stop() == 0)
        let other = watched.path + ".other"
        try server.start(options: ["--status", "unix:\(other)"])
        #expect(becomes { (try? SocketPeer(path: other).get("/healthz").status) == 200 })
        #expect(!FileManager.default.fileExists(atPath: watched.path))
        #expect(server.stop() == 0)
        func refused(_ status: String) throws -> Program.Result {
            try Program.run(
                ["serve", "--dir", server.directory, "--listen", "unix:\(server.socket)", "--status", status])
        }
        for address in ["unix:\(server.socket)", "127.0.0.1:0"] { #expect(try refused(address).code == 64) }
    }
}
