// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// Proxies that pass TLS through and name their clients with the PROXY protocol.
@Suite(.serialized) struct TrustedAddressTests {
    private static let question = "GET /rps/clientSettings HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    private static let local = ProxyHeaderTests.header(0x20, 0x00, [])
    private static let valid = client(9)

    /// The header for a client with an address in 203.0.113.0/24.
    private static func client(_ number: UInt8) -> [UInt8] {
        ProxyHeaderTests.header(0x21, 0x11, [203, 0, 113, number] + ProxyHeaderTests.four.dropFirst(4))
    }

    /// A server whose only proxy is this process, if it connects to a port.
    private static func server(_ more: String = "", proxy: String = "127.0.0.1") throws -> RunningServer {
        try RunningServer(configuration: "trusted_proxy = \(proxy)\n" + more, listen: ["127.0.0.1:0"])
    }

    private static func peer(_ server: RunningServer, _ beginning: [UInt8]) -> SocketPeer {
        SocketPeer(
            port: server.port, headers: ["Content-Type: application/json", "X-Forwarded-For: 198.51.100.7"],
            beginning: beginning)
    }

    private static func sources(_ server: RunningServer) throws -> Set<String> {
        let events = try server.command("audit").object["events"] as? [[String: Any]] ?? []
        return Set(events.filter { $0["event"] as? String == "register" }.compactMap { $0["source"] as? String })
    }

    @Test(arguments: ProxyHeaderTests.valid.indices)
    func `the header names the source of requests, and X-Forwarded-For does not`(_ number: Int) throws {
        let (header, client) = ProxyHeaderTests.valid[number]
        let server = try Self.server(proxy: "nobody, 192.0.2.1, 127.0.0.1")
        let alice = try server.enroll("alice", at: Self.peer(server, header))
        #expect(try alice.login(at: Self.peer(server, header)).status == 200)
        #expect(try Self.sources(server) == [client ?? "127.0.0.1"])
    }

    @Test func `a header may arrive in pieces`() throws {
        let server = try Self.server()
        let line = try Line(Self.peer(server, []))
        for byte in Self.valid {
            line.send([byte])
            usleep(2_000)
        }
        line.send(Self.question)
        #expect(line.rest()?.hasPrefix("HTTP/1.1 200 ") == true)
    }

    @Test func `without a valid header the connection is closed at once, and the log has one line about it`() throws {
        let server = try Self.server()
        let invalid: [[UInt8]] = [
            Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), Array("PROXY TCP4 1.2.3.4 1.2.3.5 1 2\r\n".utf8),
            ProxyHeaderTests.header(0x11, 0x11, ProxyHeaderTests.four),
            ProxyHeaderTests.header(0x21, 0x12, ProxyHeaderTests.four),
            ProxyHeaderTests.header(0x21, 0x31, [UInt8](repeating: 0, count: 216)),
            ProxyHeaderTests.header(0x21, 0x11, [], length: 11), ProxyHeaderTests.header(0x21, 0x11, [], length: 521),
        ]
        for bytes in invalid {
            let line = try Line(Self.peer(server, bytes))
            line.send(Self.question)
            #expect(line.rest(seconds: 10) == "", "\(bytes)")
        }
        #expect(server.logText.components(separatedBy: "a trusted proxy does not send a PROXY").count == 2)
    }

    @Test func `a header that ends too early closes the connection`() throws {
        let server = try Self.server()
        for count in 0..<Self.valid.count {
            let line = try Line(Self.peer(server, Array(Self.valid.prefix(count))))
            #expect(shutdown(line.file, Int32(SHUT_WR)) == 0)
            #expect(line.rest(seconds: 10) == "", "\(count)")
        }
        #expect(!server.logText.contains("a trusted proxy does not send"))
    }

    @Test func `a header has to arrive within a quarter of a minute`() throws {
        let server = try Self.server()
        let start = ContinuousClock.now
        let silent = try Line(Self.peer(server, []))
        let slow = try Line(Self.peer(server, Array(Self.valid.prefix(20))))
        #expect(silent.rest(seconds: 60) == "" && slow.rest(seconds: 60) == "")
        #expect(start.duration(to: .now) > .seconds(14))
    }

    @Test func `the header of another client is a bad request`() throws {
        let server = try Self.server(proxy: "192.0.2.1")
        let line = try Line(Self.peer(server, Self.valid))
        line.send(Self.question)
        #expect(line.rest(seconds: 10)?.hasPrefix("HTTP/1.1 400 ") == true)
        _ = try server.enroll("alice", at: Self.peer(server, []))
        #expect(try Self.sources(server) == ["127.0.0.1"])
    }

    // MARK: Limits

    /// A client's connection with a request whose body does not come.
    private static func slow(_ server: RunningServer, _ number: UInt8) throws -> Line {
        let line = try Line(peer(server, client(number)))
        line.send("POST /rps/pass1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n{")
        return line
    }

    @Test func `the connections of one client leave those of another alone`() throws {
        let server = try Self.server("max_connections = 32\nconnections_per_source = 8\n")
        let start = ContinuousClock.now
        let lines = try (0..<6).map { _ in try Self.slow(server, 1) }
        // Until the server has read their headers.
        usleep(500_000)
        let flood = try (0..<200).map { _ in try Self.slow(server, 2) }
        #expect(becomes { flood.count(where: \.isClosed) >= 200 - 32 })
        #expect(try Self.peer(server, Self.client(3)).get("/rps/clientSettings").status == 200)
        // A slow machine may take so long that the requests were too slow by themselves.
        #expect(!lines.contains(where: \.isClosed) || start.duration(to: .now) > .seconds(14))
    }

    @Test func `a further connection of a client displaces only one of its own`() throws {
        let server = try Self.server("max_connections = 16\nconnections_per_source = 1000\n")
        let start = ContinuousClock.now
        let line = try Line(Self.peer(server, Self.client(1)))
        usleep(500_000)
        let flood = try (0..<200).map { _ in
            let line = try Line(Self.peer(server, Self.client(2)))
            usleep(2_000)
            return line
        }
        #expect(becomes { flood.count(where: \.isClosed) >= 200 - 12 })
        #expect(!line.isClosed || start.duration(to: .now) > .seconds(14))
    }

    @Test func `connections without a header give way to others`() throws {
        let server = try Self.server("max_connections = 16\n")
        let silent = try (0..<60).map { _ in try Line(Self.peer(server, [])) }
        for _ in 0..<20 { #expect(try Self.peer(server, Self.valid).get("/rps/clientSettings").status == 200) }
        #expect(becomes { silent.count(where: \.isClosed) >= 44 })
    }

    @Test func `requests that wait count for the client, and not for the proxy`() throws {
        let server = try Self.server("connections_per_source = 1\n")
        let device = try ConnectionTests.waitingDevice(server, Self.peer(server, Self.client(1)))
        #expect(becomes { (try? Self.peer(server, Self.client(1)).get("/").status) == 503 })
        #expect(try Self.peer(server, Self.client(2)).get("/").status == 200)
        #expect(try Self.peer(server, Self.local).get("/").status == 200)
        #expect(device.rest()?.hasPrefix("HTTP/1.1 408") == true)
        #expect(becomes { (try? Self.peer(server, Self.client(1)).get("/").status) == 200 })
    }

    @Test func `the proxys own requests are not limited`() throws {
        let server = try Self.server("connections_per_source = 1\n")
        let device = try ConnectionTests.waitingDevice(server, Self.peer(server, Self.local))
        for _ in 0..<3 { #expect(try Self.peer(server, Self.local).get("/").status == 200) }
        #expect(device.rest()?.hasPrefix("HTTP/1.1 408") == true)
    }

    @Test func `the last places are for new clients, also while the proxy itself waits`() throws {
        let server = try Self.server("max_connections = 16\n")
        let device = try ConnectionTests.waitingDevice(server, Self.peer(server, Self.local))
        let lines = try (0..<11).map { _ in try Self.slow(server, 1) }
        usleep(500_000)
        #expect(try Self.peer(server, Self.client(2)).get("/").status == 200)
        #expect(device.rest()?.hasPrefix("HTTP/1.1 408") == true)
        withExtendedLifetime(lines) {}
    }

    // MARK: TLS

    /// Sends a header and a TLS request. Prints the first line of the response, or nothing.
    private static let program = """
        import socket, ssl, sys, time
        host, port, header, step = sys.argv[1], int(sys.argv[2]), bytes.fromhex(sys.argv[3]), int(sys.argv[4])
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        line = socket.create_connection((host, port), timeout=30)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        read, written = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = context.wrap_bio(read, written)
        def flush(data=b""):
            data += written.read()
            for begin in range(0, len(data), step):
                line.sendall(data[begin:begin + step])
                if step < len(data): time.sleep(0.001)
        def ask(call, *values):
            while True:
                try: return call(*values)
                except ssl.SSLWantReadError: flush()
                data = line.recv(65536)
                if not data: raise ConnectionError
                read.write(data)
        try:
            try: tls.do_handshake()
            except ssl.SSLWantReadError: flush(header)
            read.write(line.recv(65536))
            ask(tls.do_handshake)
            ask(tls.write, b"GET / HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n")
            flush()
            print(ask(tls.read, 100).split(b"\\r\\n")[0].decode())
        except (ConnectionError, ssl.SSLError): pass
        """

    @Test func `a header precedes TLS, in the same packet or byte by byte`() throws {
        let server = try RunningServer(starts: false)
        let certificate = try Certificate(server.directory + "/tls")
        let options = ["--tls-cert", certificate.file, "--tls-key", certificate.key]
        func answer(_ host: String, _ header: [UInt8], step: Int = 65_536) throws -> String {
            let hex = header.map { String(UInt16($0) | 0x100, radix: 16).suffix(2) }.joined()
            let result = try Program.run(
                at: "/usr/bin/python3", ["-c", Self.program, host, "\(server.port)", hex, "\(step)"])
            #expect(result.code == 0, "\(result.errors)")
            return result.output
        }
        let good = "HTTP/1.1 200 OK\n"
        // One address of a network is trusted, and the others are not.
        for (proxy, trusted, other) in [
            ("127.0.0.1, ::2", "127.0.0.1", "::1"), ("127.0.0.2, 0:0::1", "::1", "127.0.0.1"),
        ] {
            try Data("trusted_proxy = \(proxy)\n".utf8).write(
                to: URL(fileURLWithPath: server.directory + "/server.conf"))
            try server.start(listen: ["[::]:0"], options: options)
            #expect(try answer(trusted, Self.valid) == good)
            #expect(try answer(trusted, Self.valid, step: 1) == good)
            #expect(try answer(trusted, Self.local) == good)
            #expect(try answer(trusted, []) == "")
            #expect(try answer(trusted, Self.valid + Self.valid) == "")
            #expect(try answer(other, []) == good)
            #expect(try answer(other, Self.valid) == "")
            #expect(server.stop() == 0)
        }
    }
}
