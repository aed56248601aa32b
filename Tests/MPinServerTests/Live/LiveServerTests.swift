// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// The program itself, over its socket.
@Suite(.serialized) struct LiveServerTests {
    private let server: RunningServer

    init() throws { server = try RunningServer() }

    @Test func `an invited user logs in, is blocked, unblocked, revoked and restored while the server runs`() throws {
        #expect(server.readyLine == "mpin-server: ready on unix:\(server.socket)\n")
        let alice = try server.enroll("alice")
        #expect(try alice.login(at: server.peer).string("userId") == "alice")
        #expect(try (0..<3).map { _ in try alice.login(pin: "9999", at: server.peer).status } == [401, 401, 410])
        #expect(try server.command("user", "show", "alice").object["state"] as? String == "BLOCKED")
        #expect(try server.command("user", "unblock", "alice").object["ok"] as? Bool == true)
        #expect(try alice.login(at: server.peer).status == 200)
        #expect(try server.command("user", "revoke", "alice", "--reason", "lost").code == 0)
        #expect(try server.peer.get("/rps/timePermit/\(alice.mpinID)").status == 410)
        #expect(try server.command("user", "restore", "alice").code == 0)
        #expect(try alice.login(at: server.peer).status == 200)
        #expect(server.stop() == 0)
        let audit = try server.command("audit", "--user", "alice").object["events"] as? [[String: Any]] ?? []
        let kinds = audit.compactMap { $0["event"] as? String }
        for kind in ["invite", "enroll", "login", "wrong-pin", "block", "unblock", "revoke", "restore"] {
            #expect(kinds.contains(kind), "\(kind)")
        }
        #expect(audit.contains { $0["source"] as? String == "uid \(getuid())" })
    }

    @Test func `counts, registrations and revocations survive kill -9`() throws {
        let alice = try server.enroll("alice")
        let bob = try server.enroll("bob")
        #expect(try alice.login(pin: "9999", at: server.peer).status == 401)
        let judged = try Login(alice, pin: "9999", at: server.peer).passTwo(at: server.peer)
        let begun = try Login(bob, at: server.peer)
        server.kill()
        try server.start()
        #expect(try Login.redeem(judged, at: server.peer).status == 408)
        #expect(try begun.passTwo(at: server.peer).status == 500)
        #expect(try bob.login(at: server.peer).status == 200)
        #expect(try alice.login(pin: "9999", at: server.peer).status == 410)
        server.kill()
        try server.start()
        #expect(try alice.login(at: server.peer).status == 410)
    }

    /// Whether the kernel has SO_PASSRIGHTS: Linux 6.16 or later.
    private static var refusesDescriptors: Bool {
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(file) }
        var no: Int32 = 0
        return setsockopt(file, SOL_SOCKET, 83, &no, 4) == 0
    }

    @Test func `the socket is open to all where descriptors are refused, and a stale one is replaced`() throws {
        let facts = { try FileManager.default.attributesOfItem(atPath: server.socket) }
        #expect(try facts()[.posixPermissions] as? Int == (Self.refusesDescriptors ? 0o666 : 0o660))
        server.kill()
        #expect(try facts()[.type] as? FileAttributeType == .typeSocket)
        try server.start()
        #expect(try server.peer.get("/rps/clientSettings").status == 200)
        #expect(server.stop() == 0)
        #expect(!FileManager.default.fileExists(atPath: server.socket))
    }

    @Test(.enabled(if: refusesDescriptors)) func `a client that sends a descriptor along is refused`() throws {
        let program = """
            import array, socket, sys
            s = socket.socket(socket.AF_UNIX)
            s.connect(sys.argv[1])
            s.sendmsg([b"G"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [1]))])
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", program, server.socket]
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 1 && text.contains("PermissionError"), "\(text)")
        #expect(try server.peer.get("/rps/clientSettings").status == 200)
    }

    @Test func `nothing but a stale socket is replaced`() throws {
        let other = try RunningServer()
        _ = other.stop()
        let taken = try Program.run(["serve", "--dir", other.directory, "--listen", "unix:\(server.socket)"])
        #expect(taken.code == 69)
        #expect(try server.peer.get("/").status == 200)
        let file = other.directory + "/precious"
        try Data("x".utf8).write(to: URL(fileURLWithPath: file))
        #expect(try Program.run(["serve", "--dir", other.directory, "--listen", "unix:\(file)"]).code == 73)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("x".utf8))
        #expect(try Program.run(["serve", "--dir", server.directory, "--listen", "unix:\(other.socket)"]).code == 69)
    }

    @Test func `clear text stays on this host`() throws {
        _ = server.stop()
        for listen in ["0.0.0.0:0", "[::]:0", "192.0.2.1:8443"] {
            let result = try Program.run(["serve", "--dir", server.directory, "--listen", listen])
            #expect(result.code == 78)
            #expect(result.output.isEmpty)
        }
        try server.start(listen: ["127.0.0.1:0"])
        #expect(server.readyLine.hasPrefix("mpin-server: ready on 127.0.0.1:"))
        #expect(!server.readyLine.hasSuffix(":0\n"))
    }

    @Test func `JSON of any content type is taken, and no cookie is set`() throws {
        let alice = try server.enroll("alice")
        for type in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=UTF-8"] {
            let peer = SocketPeer(path: server.socket, headers: ["Content-Type: \(type)", "Accept: text/plain"])
            let answer = try alice.login(at: peer)
            #expect(answer.status == 200)
            #expect(answer.headers["set-cookie"] == nil)
        }
        #expect(try alice.login(at: SocketPeer(path: server.socket, headers: [])).status == 200)
        let page = try server.peer.get("/")
        #expect(page.headers["content-security-policy"] != nil)
        #expect(page.headers["set-cookie"] == nil)
    }

    @Test func `nonsense on the wire does not stop the server`() throws {
        for junk in [
            "", "\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
            "POST /rps/pass1 HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "POST /rps/pass1 HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nConnection: close\r\n\r\n{}",
            "GET /\u{0}\u{1} HTTP/1.1\r\n\r\n", String(repeating: "A", count: 200_000),
            "GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 5_000) + "\r\n",
        ] {
            let file = try server.peer.connect()
            let bytes = Array(junk.utf8)
            _ = unsafe bytes.withUnsafeBytes { unsafe send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            close(file)
        }
        let large = try server.peer.send("PUT", "/rps/user", [UInt8](repeating: 0x20, count: 70_000))
        #expect(large.status == 413)
        #expect(try server.peer.get("/rps/clientSettings").status == 200)
    }

    @Test func `200 guesses at once over the socket are judged three times`() throws {
        let alice = try server.enroll("alice")
        let permit = try alice.permit(at: server.peer)
        let peer = server.peer
        let statuses = try onThreads(200) {
            try Login(alice, pin: String(2_000 + $0), permit: permit, at: peer).finish(at: peer).status
        }
        #expect(statuses.filter { $0 == 401 }.count == 2)
        #expect(statuses.allSatisfy { [401, 410, 429, 500].contains($0) })
        let devices = try server.command("user", "show", "alice").object["devices"] as? [[String: Any]] ?? []
        #expect(devices.first?["failures"] as? Int == 3)
    }
}
