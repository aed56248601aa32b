// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import Testing

/// The program on a port.
@Suite(.serialized) struct NetworkTests {
    /// The sources of registrations in the audit log.
    private func sources(_ server: RunningServer) throws -> [String] {
        let events = try server.command("audit").object["events"] as? [[String: Any]] ?? []
        return events.filter { $0["event"] as? String == "register" }.compactMap { $0["source"] as? String }
    }

    /// The user of a client of a port is not known, so no such client is a trusted proxy.
    @Test func `a port of this host works, and the source is the address`() throws {
        let server = try RunningServer(configuration: "trusted_proxy = root\n", listen: ["127.0.0.1:0"])
        let liar = SocketPeer(port: server.port, headers: ["X-Forwarded-For: 198.51.100.7"])
        let alice = try server.enroll("alice", at: liar)
        #expect(try alice.login(at: SocketPeer(port: server.port)).status == 200)
        #expect(try sources(server) == ["127.0.0.1"])
    }

    @Test(arguments: [
        ("root", "203.0.113.9, 198.51.100.7", "198.51.100.7"), ("root", "198.51.100.7:41234", "198.51.100.7"),
        ("nobody,root", "203.0.113.9, 2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("daemon,root", "[2001:db8:1:2:3:4:5:6]:443", "2001:db8:1:2::/64"),
        ("root", "[2001:db8:1:2::1]", "2001:db8:1:2::/64"), ("root", "\"198.51.100.8\"", "198.51.100.8"),
        ("root", "198.51.100.7, _hidden", "unknown"), ("no", "198.51.100.7", nil),
        ("daemon, nobody", "198.51.100.7", nil),
    ])
    func `a proxy at the socket is trusted by its user, and names the source last`(
        _ users: String, _ header: String, _ source: String?
    ) throws {
        let server = try RunningServer(configuration: "trusted_proxy = \(users)\n")
        _ = try server.enroll("alice", at: SocketPeer(path: server.socket, headers: ["X-Forwarded-For: \(header)"]))
        #expect(try sources(server) == [getuid() == 0 ? source ?? "uid 0" : "uid \(getuid())"])
    }

    @Test(arguments: [
        "no-such-user", "yes", "1", "0", "no, root", "root, no-such-user", "", "192.0.2.0/24", "192.0.2", "[::1]",
        "192.0.2.1:80", "2001:db8::/64", "localhost",
    ])
    func `an impossible proxy is refused with what to write`(_ users: String) throws {
        let server = try RunningServer()
        _ = server.stop()
        let file = server.directory + "/other.conf"
        try Data("trusted_proxy = \(users)\n".utf8).write(to: URL(fileURLWithPath: file))
        let result = try Program.run(["serve", "--dir", server.directory, "--config", file, "--listen", "127.0.0.1:0"])
        #expect(result.code == 78)
        #expect(result.errors.contains("trusted_proxy = www-data"))
    }

    @Test(arguments: [
        ("public_url = https://login.example.org", true), ("", false),
        ("public_url = https://login.example.org\ntrusted_proxy = nobody", false),
        ("public_url = https://login.example.org\ntrusted_proxy = 192.0.2.1", false),
        ("public_url = http://127.0.0.1:8080", false),
    ])
    func `a proxy that is not configured is missed`(_ configuration: String, _ isMissed: Bool) throws {
        let server = try RunningServer(configuration: configuration + "\n")
        #expect(server.logText.contains("In server.conf set trusted_proxy = USER") == isMissed)
    }

    @Test func `a server with a certificate speaks TLS, and nothing else`() throws {
        let server = try RunningServer()
        _ = server.stop()
        let made = try Certificate(server.directory + "/tls")
        let (certificate, key) = (made.file, made.key)
        let (junk, other) = (server.directory + "/junk.pem", server.directory + "/other.key")
        try Data("junk".utf8).write(to: URL(fileURLWithPath: junk))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: junk)
        #expect(try Program.run(at: "/usr/bin/openssl", ["genrsa", "-out", other, "2048"]).code == 0)
        func refusal(_ certificate: String, _ key: String) throws -> String {
            let result = try Program.run([
                "serve", "--dir", server.directory, "--listen", "0.0.0.0:0", "--tls-cert", certificate, "--tls-key",
                key,
            ])
            #expect(result.code == 69)
            return result.errors
        }
        #expect(try refusal(junk, key).contains("\(junk) contains no PEM certificate"))
        #expect(try refusal(certificate, junk).contains("\(junk) contains no PEM private key"))
        #expect(
            try refusal(certificate, other).contains(
                "\(other) is not the key of the first certificate in \(certificate)"))
        #expect(try refusal(certificate, "/nowhere").contains("/nowhere does not exist"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        #expect(try refusal(certificate, key).contains("Run: chmod o=,g-w \(key)"))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: key)
        try server.start(listen: ["0.0.0.0:0"], options: ["--tls-cert", certificate, "--tls-key", key])
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
        #expect(answer.output.lowercased().contains("strict-transport-security: max-age="))
        for (cipher, isTaken) in [
            ("ECDHE-RSA-AES128-GCM-SHA256", true), ("ECDHE-RSA-AES128-SHA", false), ("AES128-GCM-SHA256", false),
        ] {
            let result = try Program.run(
                at: "/usr/bin/openssl",
                [
                    "s_client", "-connect", "127.0.0.1:\(server.port)", "-tls1_2", "-cipher", cipher, "-CAfile",
                    certificate,
                ])
            #expect((result.code == 0) == isTaken, "\(cipher)")
        }
        // A renewed certificate is shown from SIGHUP on; an invalid one is not.
        let renewed = try Program.run(
            at: "/usr/bin/openssl",
            ["req", "-x509", "-key", key, "-days", "2", "-subj", "/CN=renewed", "-out", certificate])
        #expect(renewed.code == 0)
        kill(server.processIdentifier, SIGHUP)
        let shown = {
            try Program.run(at: "/usr/bin/openssl", ["s_client", "-connect", "127.0.0.1:\(server.port)"]).output
        }
        #expect(try becomes { try shown().contains("CN = renewed") })
        try Data("junk".utf8).write(to: URL(fileURLWithPath: certificate))
        kill(server.processIdentifier, SIGHUP)
        #expect(becomes { server.logText.contains("keeping the previous certificate: \(certificate)") })
        #expect(try shown().contains("CN = renewed"))
    }
}
