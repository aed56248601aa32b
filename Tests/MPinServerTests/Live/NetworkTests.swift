import Foundation
import MPinServer
import Testing

/// The program on a port.
@Suite(.serialized) struct NetworkTests {
    @Test func `a port of this host works, and the source is the address`() throws {
        let server = try RunningServer()
        _ = server.stop()
        try server.start(listen: "127.0.0.1:0")
        let peer = SocketPeer(port: server.port)
        let code = try server.command("invite", "alice").object["code"] as? String ?? ""
        let alice = try Enrolled.register("alice", code: code, at: peer)
        #expect(try alice.login(at: peer).status == 200)
        let liar = SocketPeer(port: server.port, headers: ["X-Forwarded-For: 198.51.100.7"])
        #expect(try alice.login(pin: "9999", at: liar).status == 401)
        #expect(server.stop() == 0)
        let audit = try Program.run(["audit", "--dir", server.directory]).output
        #expect(audit.contains("source=127.0.0.1"))
        #expect(!audit.contains("198.51.100.7"))
    }

    @Test func `a trusted proxy names the source`() throws {
        let server = try RunningServer(configuration: "trusted_proxy = yes\n")
        _ = server.stop()
        try server.start(listen: "127.0.0.1:0")
        let code = try server.command("invite", "alice").object["code"] as? String ?? ""
        let peer = SocketPeer(port: server.port, headers: ["X-Forwarded-For: 203.0.113.9, 198.51.100.7"])
        let alice = try Enrolled.register("alice", code: code, at: peer)
        let other = SocketPeer(port: server.port, headers: ["X-Forwarded-For: 2001:db8:1:2:3:4:5:6"])
        #expect(try alice.login(pin: "9999", at: other).status == 401)
        let audit = try Program.run(["audit", "--dir", server.directory]).output
        #expect(audit.contains("source=198.51.100.7"))
        #expect(audit.contains("source=2001:db8:1:2::/64"))
    }

    @Test(.enabled(if: !TLSFiles.isAvailable))
    func `a build without TLS says so`() throws {
        let server = try RunningServer()
        _ = server.stop()
        let result = try Program.run([
            "serve", "--dir", server.directory, "--listen", "0.0.0.0:0", "--tls-cert", "c", "--tls-key", "k",
        ])
        #expect(result.code == 78)
        #expect(result.errors.contains("without TLS"))
    }

    @Test(.enabled(if: TLSFiles.isAvailable))
    func `a build with TLS speaks it, and nothing else`() throws {
        let server = try RunningServer()
        _ = server.stop()
        let (certificate, key) = (server.directory + "/tls.crt", server.directory + "/tls.key")
        let made = try Program.run(
            at: "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-out",
                certificate,
                "-keyout", key,
            ])
        #expect(made.code == 0)
        let junk = server.directory + "/junk.pem"
        try Data("junk".utf8).write(to: URL(fileURLWithPath: junk))
        let refused = try Program.run([
            "serve", "--dir", server.directory, "--listen", "0.0.0.0:0", "--tls-cert", junk, "--tls-key", key,
        ])
        #expect(refused.code == 78)
        try server.start(listen: "0.0.0.0:0", options: ["--tls-cert", certificate, "--tls-key", key])
        let answer = try Program.run(
            at: "/usr/bin/openssl",
            [
                "s_client", "-connect", "127.0.0.1:\(server.port)", "-CAfile", certificate, "-verify_return_error",
                "-quiet",
                "-ign_eof",
            ], input: "GET /rps/clientSettings HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(answer.output.contains("HTTP/1.1 200"))
        #expect(answer.output.contains("registerURL"))
        #expect(throws: (any Error).self) { try SocketPeer(port: server.port).get("/rps/clientSettings") }
    }
}
