// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// A server that listens on several addresses.
@Suite(.serialized) struct ListenersTests {
    /// A certificate for `localhost` and its key.
    private struct Certificate {
        let file: String, key: String

        init(in directory: String) throws {
            (file, key) = (directory + "/tls.crt", directory + "/tls.key")
            let made = try Program.run(
                at: "/usr/bin/openssl",
                [
                    "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost", "-out", file, "-keyout", key,
                ])
            #expect(made.code == 0, "\(made.errors)")
        }
    }

    /// A stopped server, whose configuration names its socket and a port with TLS.
    private func configured(_ more: String = "") throws -> (server: RunningServer, certificate: Certificate) {
        let server = try RunningServer()
        _ = server.stop()
        let certificate = try Certificate(in: server.directory)
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

    @Test func `an address that is taken stops the start, and leaves no socket`() throws {
        let (server, _) = try configured()
        let other = try RunningServer()
        _ = other.stop()
        try other.start(listen: ["127.0.0.1:0"])
        let run = try Program.run([
            "serve", "--dir", server.directory, "--listen", "unix:\(server.socket)", "--listen",
            "127.0.0.1:\(other.port)",
        ])
        #expect(run.code == 69 && run.output.isEmpty, "\(run)")
        #expect(run.errors.contains("cannot listen on 127.0.0.1:\(other.port): Address already in use"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: server.socket))
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
