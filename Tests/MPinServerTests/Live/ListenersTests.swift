// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// A server that listens on several addresses.
@Suite(.serialized) struct ListenersTests {
    /// A stopped server, whose configuration names its socket and a port with TLS.
    private func configured(_ more: String = "") throws -> (server: RunningServer, certificate: Certificate) {
        let server = try RunningServer()
        _ = server.stop()
        let certificate = try Certificate(server.directory + "/tls")
        let text = """
            listen = unix:\(server.socket), 127.0.0.1:0
            tls_cert = \(certificate.file)
            tls_key = \(certificate.key)
            \(more)

            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: server.directory + "/server.conf"))
        return (server, certificate)
    }

    private func get(_ path: String, port: UInt16, _ certificate: Certificate) throws -> Program.Result {
        try Program.run(
            at: "/usr/bin/curl",
            [
                "-sSi", "--cacert", certificate.file, "--resolve", "localhost:\(port):127.0.0.1",
                "https://localhost:\(port)\(path)",
            ])
    }

    @Test func `a socket and a port with TLS serve at the same time, and each knows its own clients`() throws {
        let (server, certificate) = try configured("status_socket = /nonexistent")
        let status = server.directory + "/status.sock"
        try server.start(listen: [], options: ["--status", "unix:\(status)"])
        #expect(server.readyLine.hasPrefix("mpin-server: ready on unix:\(server.socket), 127.0.0.1:"))
        let alice = try server.enroll("alice")
        #expect(try alice.login(at: server.peer).status == 200)
        let settings = try get("/rps/clientSettings", port: server.port, certificate)
        #expect(settings.output.contains("registerURL"), "\(settings.errors)")
        // TLS belongs to the port alone.
        #expect(settings.output.lowercased().contains("strict-transport-security"))
        #expect(try server.peer.get("/").headers["strict-transport-security"] == nil)
        #expect(throws: (any Error).self) { try SocketPeer(port: server.port).get("/") }
        // Each request for the wrong purpose is charged to its own source.
        for arguments in [
            ["--unix-socket", server.socket, "http://localhost/rps/user"],
            [
                "--cacert", certificate.file, "--resolve", "localhost:\(server.port):127.0.0.1",
                "https://localhost:\(server.port)/rps/user",
            ],
        ] {
            let refused = try Program.run(
                at: "/usr/bin/curl",
                [
                    "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-X", "PUT", "--data",
                    #"{"userId":"mallory","mobile":0,"activateCode":"AAAA"}"#,
                ] + arguments)
            #expect(refused.output == "403", "\(refused)")
        }
        let health = try Program.run(at: "/usr/bin/curl", ["-sS", "--unix-socket", status, "http://x/healthz"])
        #expect(health.output.contains("\"ok\":true"), "\(health)")
        try FileManager.default.removeItem(atPath: server.socket)
        let broken = try Program.run(at: "/usr/bin/curl", ["-sS", "--unix-socket", status, "http://x/healthz"])
        #expect(broken.output.contains("unix:\(server.socket): the socket file no longer exists"), "\(broken)")
        #expect(server.stop() == 0)
        let events = try server.command("audit").object["events"] as? [[String: Any]] ?? []
        let sources = events.filter { $0["userId"] as? String == "mallory" }.compactMap { $0["source"] as? String }
        #expect(Set(sources) == ["uid \(getuid())", "127.0.0.1"], "\(events)")
    }

    @Test func `connections to one address take no places of another`() throws {
        let (server, _) = try configured("max_connections = 16")
        try server.start(listen: [])
        let crowd = try (0..<40).map { _ in try SocketPeer(port: server.port).connect() }
        #expect(try server.peer.get("/").status == 200)
        for file in crowd { close(file) }
    }

    @Test func `the command line replaces the addresses of the configuration`() throws {
        let (server, _) = try configured()
        let other = server.directory + "/other.sock"
        try server.start(listen: ["unix:\(other)"])
        #expect(server.readyLine == "mpin-server: ready on unix:\(other)\n")
        #expect(!FileManager.default.fileExists(atPath: server.socket))
        #expect(try SocketPeer(path: other).get("/").status == 200)
    }

    /// A server with a port that another process has.
    private func onTaken(_ addresses: [String] = []) throws -> (server: RunningServer, other: RunningServer) {
        let server = try RunningServer()
        _ = server.stop()
        let other = try RunningServer(listen: ["127.0.0.1:0"])
        try server.start(
            listen: addresses + ["127.0.0.1:\(other.port)"],
            options: ["--status", "unix:\(server.directory)/status.sock"])
        return (server, other)
    }

    @Test func `an address that is taken delays no other one, and is opened when it is free`() throws {
        let server = try RunningServer()
        _ = server.stop()
        let other = try RunningServer(listen: ["127.0.0.1:0"])
        let (port, manager) = (other.port, try NotifySocket())
        let status = SocketPeer(path: server.directory + "/status.sock")
        try server.start(
            listen: ["unix:\(server.socket)", "127.0.0.1:\(port)"], options: ["--status", "unix:\(status.path)"],
            environment: ["NOTIFY_SOCKET": manager.name])
        #expect(server.readyLine == "mpin-server: ready on unix:\(server.socket)\n")
        let alice = try server.enroll("alice")
        #expect(try alice.login(at: server.peer).status == 200)
        // The log, the service manager, the health and the command give the reason.
        let fault = "cannot listen on 127.0.0.1:\(port): Address already in use"
        #expect(server.logText.contains("\(fault); the server tries again every 5 seconds"), "\(server.logText)")
        #expect(server.logText.contains("sudo ss -tlnp sport = :\(port)"))
        let ready = try manager.next()
        #expect(ready["READY"] == "1" && ready["STATUS"] == "ready on unix:\(server.socket); \(fault)", "\(ready)")
        #expect(becomes { (try? status.get("/healthz").string("listener")) == fault })
        #expect(try status.get("/healthz").status == 503)
        #expect(try server.command("status").object["fault"] as? String == "listener: \(fault)")

        #expect(other.stop() == 0)
        #expect(becomes { server.logText.contains("now listening on 127.0.0.1:\(port)") })
        #expect(try SocketPeer(port: port).get("/").status == 200)
        #expect(try status.get("/healthz").string("listener") == "ok")
        let later = try manager.next(with: "STATUS").lines["STATUS"]
        #expect(later == "ready on unix:\(server.socket), 127.0.0.1:\(port)")
        // One line, however often it was tried.
        #expect(server.logText.components(separatedBy: fault).count == 2)
        #expect(server.stop() == 0)
    }

    @Test(.enabled(if: getuid() == 0)) func `an address that comes later than the server is opened then`() throws {
        let server = try RunningServer()
        _ = server.stop()
        let address = "198.51.100.\(Int.random(in: 1...254))"
        func change(_ verb: String) throws -> Int32 {
            try Program.run(at: "/usr/sbin/ip", ["address", verb, address + "/32", "dev", "lo"]).code
        }
        let certificate = try Certificate(server.directory + "/tls")
        try server.start(
            listen: ["unix:\(server.socket)", "\(address):8443"],
            options: ["--tls-cert", certificate.file, "--tls-key", certificate.key])
        #expect(server.logText.contains("cannot listen on \(address):8443: Cannot assign requested address"))
        #expect(try server.peer.get("/").status == 200)
        try #require(try change("add") == 0)
        defer { _ = try? change("del") }
        #expect(becomes { server.logText.contains("now listening on \(address):8443") }, "\(server.logText)")
    }

    @Test func `a certificate that cannot be used closes its ports, until it can`() throws {
        let (server, certificate) = try configured()
        let (good, junk) = (certificate.file + ".good", Data("junk".utf8))
        try FileManager.default.moveItem(atPath: certificate.file, toPath: good)
        try junk.write(to: URL(fileURLWithPath: certificate.file))
        try server.start(listen: [])
        #expect(server.readyLine == "mpin-server: ready on unix:\(server.socket)\n")
        #expect(try server.peer.get("/").status == 200)
        let fault = "cannot listen on 127.0.0.1:0: \(certificate.file) contains no PEM certificate"
        #expect(server.logText.contains(fault), "\(server.logText)")
        // A reload neither helps nor harms.
        kill(server.processIdentifier, SIGHUP)
        #expect(becomes { server.logText.contains("reloaded the configuration") })
        #expect(!server.logText.contains("previous certificate"))
        #expect(rename(good, certificate.file) == 0)
        #expect(becomes { server.logText.contains("now listening on 127.0.0.1:") }, "\(server.logText)")
        let match = try #require(server.logText.firstMatch(of: /now listening on 127\.0\.0\.1:([0-9]+)/))
        let settings = try get("/rps/clientSettings", port: #require(UInt16(match.1)), certificate)
        #expect(settings.output.contains("registerURL"), "\(settings.errors)")
    }

    @Test func `a status socket that cannot be made stops no login`() throws {
        let server = try RunningServer(options: ["--status", "unix:/nonexistent/status"])
        #expect(
            becomes {
                server.logText.contains("no status socket, but logins work: cannot listen on unix:/nonexistent/status")
            })
        #expect(try server.peer.get("/").status == 200)
        #expect(server.stop() == 0)
    }

    @Test func `without a socket, one port of several is enough`() throws {
        let (server, other) = try onTaken(["127.0.0.1:0"])
        #expect(server.port != other.port && !server.readyLine.contains(","), "\(server.readyLine)")
        #expect(try SocketPeer(port: server.port).get("/").status == 200)
    }

    @Test func `a start without any use fails, and leaves no socket`() throws {
        let (_, other) = try onTaken(["127.0.0.1:0"])
        let server = try RunningServer()
        _ = server.stop()
        let taken = ["--listen", "127.0.0.1:\(other.port)"]
        let run = try Program.run(["serve", "--dir", server.directory] + taken)
        #expect(run.code == 69 && run.output.isEmpty, "\(run)")
        #expect(run.errors.contains("cannot listen on 127.0.0.1:\(other.port): Address already in use"), "\(run)")
        // The logins of this host need the socket, so another port does not help.
        let without = try Program.run(
            ["serve", "--dir", server.directory, "--listen", "127.0.0.1:0", "--listen", "unix:/nonexistent/s"])
        #expect(without.code == 69 && without.output.isEmpty, "\(without)")
        #expect(without.errors.contains("cannot listen on unix:/nonexistent/s: No such file"), "\(without)")
        #expect(!FileManager.default.fileExists(atPath: server.socket))
    }

    /// Without this, a proxy would need a port, which a program of any user can take while the server does not run.
    @Test(.enabled(if: getuid() == 0)) func `a directory of a group makes the socket one for that group`() throws {
        let server = try RunningServer()
        _ = server.stop()
        let directory = server.directory + ".proxy"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        #expect(try Program.run(at: "/usr/bin/install", ["-d", "-g", "33", "-m", "2750", directory]).code == 0)
        try server.start(listen: ["unix:\(server.socket)", "unix:\(directory)/server.sock"])
        let facts = try FileManager.default.attributesOfItem(atPath: directory + "/server.sock")
        #expect(facts[.posixPermissions] as? Int == 0o660 && facts[.groupOwnerAccountID] as? Int == 33)
        #expect(!server.logText.contains("can connect to \(directory)"))
        func ask(group: String) throws -> Int32 {
            try Program.run(
                at: "/usr/bin/setpriv",
                [
                    "--reuid=65534", "--regid=\(group)", "--clear-groups", "/usr/bin/curl", "-sS", "--unix-socket",
                    directory + "/server.sock", "http://localhost/",
                ]
            ).code
        }
        #expect(try ask(group: "33") == 0)
        #expect(try ask(group: "65534") != 0)
    }

    @Test(arguments: [
        ("listen = unix:S, unix:S", 78, "the server cannot listen on unix:S twice"),
        ("listen = 0.0.0.0:8443", 78, "0.0.0.0:8443 is not a loopback address, so it requires TLS"),
        ("listen = 127.0.0.1:0\ntls_cert = /etc/hostname", 78, "tls_cert and tls_key must be set together"),
        ("listen = localhost", 78, "'listen' must be addresses, separated by commas"),
        ("listen = unix:/run/x 127.0.0.1:9", 78, "'listen' must be addresses, separated by commas"),
        ("listen =", 78, "'listen' must be addresses, separated by commas"),
        ("", 64, "no address to listen on"),
    ])
    func `addresses that cannot be used are refused`(_ configuration: String, _ code: Int32, _ message: String) throws {
        let server = try RunningServer()
        _ = server.stop()
        let text = configuration.replacingOccurrences(of: "S", with: server.socket) + "\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: server.directory + "/server.conf"))
        let run = try Program.run(["serve", "--dir", server.directory])
        #expect(run.code == code && run.output.isEmpty, "\(run)")
        #expect(run.errors.contains(message.replacingOccurrences(of: "S ", with: server.socket + " ")), "\(run)")
    }
}
