// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Peers that ask for more connections, or more of one, than they may have.
@Suite(.serialized) struct ConnectionTests {
    private static let question = "GET /rps/clientSettings HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// A server on a port.
    private func onPort(_ configuration: String) throws -> (server: RunningServer, peer: SocketPeer) {
        let server = try RunningServer(configuration: configuration, listen: ["127.0.0.1:0"])
        return (server, SocketPeer(port: server.port))
    }

    /// A connection with a request whose body does not come.
    private func slow(_ peer: SocketPeer) throws -> Line {
        let line = try Line(peer)
        line.send("POST /rps/pass1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n{")
        return line
    }

    /// A connection whose request was answered.
    private func idle(_ peer: SocketPeer) throws -> Line {
        let line = try Line(peer)
        line.send(Self.question)
        #expect(becomes { line.waiting > 0 })
        return line
    }

    @Test func `slow requests give way to others of the same source, and the log has one line about it`() throws {
        let (server, peer) = try onPort("max_connections = 16\nconnections_per_source = 4\n")
        let lines = try (0..<60).map { _ in try slow(peer) }
        for _ in 0..<20 { #expect(try peer.get("/rps/clientSettings").status == 200) }
        #expect(becomes { lines.filter(\.isClosed).count >= 44 })
        #expect(server.logText.components(separatedBy: "each new one closes").count == 2)
    }

    @Test func `the connections of one source leave those of another alone`() throws {
        let (server, peer) = try onPort("max_connections = 32\nconnections_per_source = 8\n")
        let start = ContinuousClock.now
        let lines = try (0..<6).map { _ in try slow(peer) }
        let flood = try Flood(200, from: "127.0.0.2", port: peer.port)
        #expect(try peer.get("/rps/clientSettings").status == 200)
        let closed = lines.filter(\.isClosed).count
        // A slow machine may take so long that the requests were too slow by themselves.
        #expect(closed == 0 || start.duration(to: .now) > .seconds(14))
        try flood.end()
        withExtendedLifetime(server) {}
    }

    @Test func `a further connection of a source displaces only one of its own`() throws {
        let (server, peer) = try onPort("max_connections = 16\nconnections_per_source = 1000\n")
        let start = ContinuousClock.now
        let line = try slow(peer)
        let flood = try Flood(200, from: "127.0.0.2", port: peer.port)
        #expect(becomes { server.logText.contains("each new one closes") })
        #expect(!line.isClosed || start.duration(to: .now) > .seconds(14))
        try flood.end()
    }

    @Test func `where most connections are idle, the one that was idle longest gives way`() throws {
        let (server, peer) = try onPort("max_connections = 16\n")
        // A quarter of the places is for sources that have no connection.
        let start = ContinuousClock.now
        let lines = try (0..<12).map { _ in try idle(peer) }
        let request = try slow(peer)
        let isDisplaced = becomes { lines[0].isClosed }
        let closed = ([request] + lines.dropFirst()).filter(\.isClosed).count
        // A slow machine may take so long that all were idle for too long.
        #expect(isDisplaced && closed == 0 || start.duration(to: .now) > .seconds(14))
        withExtendedLifetime(server) {}
    }

    /// A connection of a device that has approved a login and waits for the browser to accept it.
    static func waitingDevice(_ server: RunningServer, _ peer: SocketPeer) throws -> Line {
        let alice = try server.enroll("alice", at: peer)
        let waiting = try Waiting(at: peer)
        let second = try Login(alice, at: peer).passTwo(at: peer, wid: waiting.code)
        let body = "{\"mpinResponse\":{\"authOTT\":\"\(second.string("authOTT"))\"}}"
        let request = """
            POST /rps/authenticate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
            Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
        // The server notes the end of a response a little later than the client, and until then this one is too many.
        for _ in 0..<60 {
            let device = try Line(peer)
            device.send(request)
            usleep(500_000)
            if device.waiting == 0 { return device }
        }
        throw Flood.NotReady()
    }

    @Test func `a request that waits for its response gives way to nothing`() throws {
        let (server, peer) = try onPort("max_connections = 16\nconnections_per_source = 4\n")
        let device = try Self.waitingDevice(server, peer)
        #expect(try peer.get("/rps/clientSettings").status == 200)
        let flood = try Flood(100, from: "127.0.0.2", port: peer.port)
        try flood.end()
        #expect(device.rest()?.hasPrefix("HTTP/1.1 408") == true)
    }

    @Test func `a source that waits for as many responses as it may learns that`() throws {
        let (server, peer) = try onPort("connections_per_source = 1\n")
        let device = try Self.waitingDevice(server, peer)
        #expect(becomes { (try? peer.get("/rps/clientSettings").status) == 503 })
        let further = try Line(peer)
        further.send(Self.question)
        let answer = further.rest() ?? ""
        #expect(answer.hasPrefix("HTTP/1.1 503") && answer.lowercased().contains("\r\nretry-after: 2\r\n"), "\(answer)")
        #expect(server.logText.contains("so further ones get 503"))
        #expect(device.rest()?.hasPrefix("HTTP/1.1 408") == true)
        #expect(try peer.get("/rps/clientSettings").status == 200)
    }

    @Test(.enabled(if: getuid() == 0)) func `a trusted proxy has as many as there are`() throws {
        let server = try RunningServer(configuration: "connections_per_source = 4\ntrusted_proxy = root\n")
        let peer = server.peer
        let lines = try (0..<40).map { _ in try Line(peer) }
        for line in lines { line.send(Self.question) }
        #expect(try peer.get("/rps/clientSettings").status == 200)
        #expect(!server.logText.contains("closes new ones") && !server.logText.contains("each new one closes"))
        withExtendedLifetime(lines) {}
    }

    @Test(.enabled(if: getuid() == 0))
    func `root gets through while another user floods the socket`() throws {
        let server = try RunningServer(configuration: "max_connections = 16\nconnections_per_source = 1000\n")
        let alice = try server.enroll("alice")
        let flood = try Flood(200, asUser: 65_534, socket: server.socket)
        #expect(becomes { server.logText.contains("all connections are in use") })
        for _ in 0..<3 { #expect(try alice.login(at: server.peer).status == 200) }
        try flood.end()
    }

    @Test func `a lack of descriptors is logged, and ends when there are some again`() throws {
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
        let isClosed = becomes {
            head.send("h")
            usleep(450_000)
            return body.send(" ") < 0
        }
        #expect(isClosed)
        #expect(start.duration(to: .now) > .seconds(14))
        #expect(head.rest() != nil)
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
        #expect(stalled.hangsUp(seconds: 120))
    }

    @Test func `a request that is too large ends its connection`() throws {
        let server = try RunningServer()
        let line = try Line(server.peer)
        line.send("PUT /rps/user HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n")
        let blank = String(repeating: " ", count: 60_000)
        for _ in 0..<20 where line.send(blank) >= 0 { usleep(20_000) }
        let answer = try #require(line.rest())
        #expect(answer.hasPrefix("HTTP/1.1 413"))
        #expect(answer.lowercased().contains("connection: close"))
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n", 200),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: foo, CLOSE\r\n\r\n", 200),
        ("GET / HTTP/1.0\r\n\r\n", 200), ("GET / HTTP/1.0\r\nHost: a\r\n\r\n", 200),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", 200),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, upgrade\r\nUpgrade: h2c\r\n\r\n", 200),
        ("POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\nContent-Length: 2\r\n\r\n{}", 405),
        ("CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n", 404),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    ])
    func `a connection that announces its end, rightly or not, is answered and closed`(_ head: String, _ status: Int)
        throws
    {
        let server = try RunningServer()
        let line = try Line(server.peer)
        line.send(head)
        // Long before a connection without requests would be closed.
        let answer = try #require(line.rest())
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
