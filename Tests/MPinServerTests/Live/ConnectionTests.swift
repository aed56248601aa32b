import Foundation
import Testing

/// Peers that want more connections, or more of one, than they may have.
@Suite(.serialized) struct ConnectionTests {
    private static let question = "GET /rps/clientSettings HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// A server on a port.
    private func onPort(_ configuration: String) throws -> (server: RunningServer, peer: SocketPeer) {
        let server = try RunningServer(configuration: configuration)
        _ = server.stop()
        try server.start(listen: "127.0.0.1:0")
        return (server, SocketPeer(port: server.port))
    }

    /// Whether a new connection is closed without a word.
    private func isRefused(_ peer: SocketPeer) throws -> Bool { try Line(peer).rest(seconds: 1) == "" }

    @Test func `a source has only so many connections, and the log says so once`() throws {
        let (server, peer) = try onPort("connections_per_source = 4\n")
        var lines = try (0..<4).map { _ in try Line(peer) }
        #expect(try becomes { try isRefused(peer) })
        #expect(try isRefused(peer))
        let complaints = server.logText.components(separatedBy: "connections it may have").count - 1
        #expect(complaints == 1)
        #expect(server.logText.contains("source=127.0.0.1"))
        lines.removeLast()
        #expect(becomes { (try? peer.get("/rps/clientSettings").status) == 200 })
        withExtendedLifetime(lines) {}
    }

    @Test func `a trusted proxy has as many as there are`() throws {
        let (server, peer) = try onPort("connections_per_source = 4\ntrusted_proxy = yes\n")
        let lines = try (0..<40).map { _ in try Line(peer) }
        for line in lines { line.send(Self.question) }
        #expect(try peer.get("/rps/clientSettings").status == 200)
        #expect(!server.logText.contains("closed at once"))
        withExtendedLifetime(lines) {}
    }

    @Test(.enabled(if: getuid() == 0))
    func `root gets through while another user floods the socket`() throws {
        let server = try RunningServer(configuration: "max_connections = 16\nconnections_per_source = 1000\n")
        let alice = try server.enrol("alice")
        let flood = Process()
        flood.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        let script = """
            import socket, sys
            kept = []
            for number in range(200):
                s = socket.socket(socket.AF_UNIX)
                s.connect(sys.argv[1])
                kept.append(s)
            print("ready", flush=True)
            sys.stdin.read()
            """
        flood.arguments = [
            "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", script, server.socket,
        ]
        let (input, output) = (Pipe(), Pipe())
        (flood.standardInput, flood.standardOutput) = (input, output)
        try flood.run()
        #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).hasPrefix("ready"))
        #expect(becomes { server.logText.contains("all connections are taken") })
        for _ in 0..<3 { #expect(try alice.login(at: server.peer).status == 200) }
        try input.fileHandleForWriting.close()
        flood.waitUntilExit()
    }

    @Test func `a lack of descriptors is said, and over when there are some again`() throws {
        let server = try RunningServer()
        let limit = { (files: String) in
            try Program.run(at: "/usr/bin/prlimit", ["--pid", "\(server.processIdentifier)", "--nofile=\(files):"]).code
        }
        #expect(try limit("4") == 0)
        let line = try Line(server.peer)
        line.send(Self.question.replacingOccurrences(of: "\r\n\r\n", with: "\r\nConnection: close\r\n\r\n"))
        #expect(becomes { server.logText.contains("cannot be accepted") })
        #expect(server.logText.contains("LimitNOFILE"))
        #expect(try limit("1024") == 0)
        #expect(line.rest()?.hasPrefix("HTTP/1.1 200") == true)
    }

    @Test func `a request has to come within a quarter of a minute, however it trickles`() throws {
        let server = try RunningServer()
        let start = ContinuousClock.now
        let head = try Line(server.peer)
        head.send("GET / HTTP/1.1\r\nHost: local")
        let body = try Line(server.peer)
        body.send("POST /rps/pass1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n")
        let isClosed = becomes(seconds: 60) {
            head.send("h")
            usleep(450_000)
            return body.send(" ") < 0
        }
        #expect(isClosed)
        #expect(start.duration(to: .now) > .seconds(14))
        #expect(head.rest(seconds: 10) != nil)
        #expect(try server.peer.get("/rps/clientSettings").status == 200)
    }

    @Test func `answers wait for a peer that does not read, but only so many and so long`() throws {
        let server = try RunningServer()
        let few = try Line(server.peer)
        few.send(String(repeating: Self.question, count: 8) + "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(few.rest()?.components(separatedBy: "HTTP/1.1 200").count == 10)

        let many = try Line(server.peer)
        many.send(String(repeating: "GET /mpin.js HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 3_000))
        let answers = (many.rest()?.components(separatedBy: "HTTP/1.1 200").count ?? 9_999) - 1
        #expect(answers < 64)

        let stalled = try Line(server.peer)
        var (before, same) = (Int32(-1), 0)
        while same < 3 {
            for _ in 0..<3 { stalled.send("GET /mpin.js HTTP/1.1\r\nHost: localhost\r\n\r\n") }
            usleep(300_000)
            same = stalled.waiting == before ? same + 1 : 0
            before = stalled.waiting
        }
        #expect(stalled.hangsUp(seconds: 60))
    }

    @Test func `what is too large ends its connection`() throws {
        let server = try RunningServer()
        let line = try Line(server.peer)
        line.send("PUT /rps/user HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n")
        let blank = String(repeating: " ", count: 60_000)
        for _ in 0..<20 where line.send(blank) >= 0 { usleep(20_000) }
        let answer = try #require(line.rest(seconds: 10))
        #expect(answer.hasPrefix("HTTP/1.1 413"))
        #expect(answer.lowercased().contains("connection: close"))
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n", 200),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: foo, CLOSE\r\n\r\n", 200),
        ("GET / HTTP/1.0\r\n\r\n", 200), ("GET / HTTP/1.0\r\nHost: a\r\n\r\n", 200),
    ])
    func `who says that nothing follows, or says it wrongly, is answered and left`(_ head: String, _ status: Int) throws
    {
        let server = try RunningServer()
        let line = try Line(server.peer)
        line.send(head)
        // Long before a connection without requests would be closed.
        let answer = try #require(line.rest(seconds: 10))
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.lowercased().contains("connection: close\r\n"))
    }

    @Test func `a client of HTTP 1.0 may keep its connection`() throws {
        let server = try RunningServer()
        let line = try Line(server.peer)
        for _ in 0..<2 {
            let before = line.waiting
            line.send("GET /rps/clientSettings HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(becomes { line.waiting > before })
        }
        line.send("GET /rps/clientSettings HTTP/1.0\r\n\r\n")
        let answers = try #require(line.rest())
        #expect(answers.components(separatedBy: "HTTP/1.1 200").count == 4)
        #expect(answers.lowercased().contains("connection: keep-alive\r\n"))
    }
}
