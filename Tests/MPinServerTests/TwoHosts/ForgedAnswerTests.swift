// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A relying party that gets invalid halves of a server secret.
@Suite(.serialized) struct ForgedAnswerTests {
    /// A server at a socket that answers everything with one body.
    private final class Forger {
        private static let program = """
            import http.server, socketserver, sys
            class Handler(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    body = sys.argv[3].encode()
                    self.send_response(int(sys.argv[2]))
                    self.send_header('Content-Length', str(len(body)))
                    self.send_header('Location', 'https://localhost:1/')
                    self.end_headers()
                    self.wfile.write(body)
                def address_string(self): return 'socket'
                def log_message(self, *rest): pass
            socketserver.UnixStreamServer(sys.argv[1], Handler).serve_forever()
            """
        private let process: Companion
        private let path: String

        init(_ path: String, status: Int, _ body: String) throws {
            self.path = path
            unlink(path)
            process = try Companion(
                ["/usr/bin/python3", "-I", "-c", Self.program, path, String(status), body], ready: nil)
            _ = becomes { isListening }
            guard isListening else { throw Companion.NotReady() }
        }

        deinit { unlink(path) }

        private var isListening: Bool {
            guard let file = try? SocketPeer(path: path).connect() else { return false }
            close(file)
            return true
        }
    }

    private struct Vectors: Decodable {
        struct Case: Decodable {
            let name: String
            let op: String
            let args: [String: Argument]
        }

        enum Argument: Decodable {
            case text(String)
            case other

            init(from decoder: any Decoder) throws {
                let text = try? decoder.singleValueContainer().decode(String.self)
                self = text.map { .text($0) } ?? .other
            }
        }

        let cases: [Case]
    }

    /// The points of G2 that must be refused, by what is wrong with them.
    private static func points() throws -> [(name: String, point: String)] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try Data(contentsOf: tests.appendingPathComponent("Vectors/malformed.json"))
        return try JSONDecoder().decode(Vectors.self, from: data).cases.compactMap { vector in
            guard vector.op == "g2_check", vector.name != "good", case .text(let point) = vector.args["point"] else {
                return nil
            }
            return (vector.name, point)
        }
    }

    private func code(_ hosts: TwoHosts) -> Int32 {
        do {
            try hosts.startParty()
            return 0
        } catch {
            return (error as? Served.Ended)?.code ?? -1
        }
    }

    @Test func `none of them is kept, and the right one still works afterwards`() throws {
        let hosts = try TwoHosts(isRunning: false)
        let socket = hosts.authorityPeer.path
        let points = try Self.points()
        #expect(points.contains { $0.name.contains("subgroup") })
        for (name, point) in points {
            let forger = try Forger(socket, status: 200, "{\"serverSecret\":\"\(point)\",\"message\":\"OK\"}")
            #expect(withExtendedLifetime(forger) { code(hosts) } == 78, "\(name)")
        }
        for (status, body, expected) in [
            (200, "", 78), (200, "{}", 78), (200, "[]", 78), (200, "{\"serverSecret\":7}", 78),
            (200, String(repeating: " ", count: 100_000), 69), (302, "{}", 69), (401, "{}", 78), (404, "{}", 78),
            (408, "{}", 69), (500, "{}", 69),
        ] as [(Int, String, Int32)] {
            let forger = try Forger(socket, status: status, body)
            #expect(withExtendedLifetime(forger) { code(hosts) } == expected, "\(status) \(body.prefix(30))")
        }
        #expect(try !hosts.events(hosts.partyDirectory).contains("server-share-kept"))
        try hosts.makeAuthority()
        try hosts.startAuthority()
        #expect(code(hosts) == 0)
        #expect(try hosts.events(hosts.partyDirectory).contains("server-share-kept"))
    }

    @Test func `an authority that no trusted certificate speaks for is not asked`() throws {
        let hosts = try TwoHosts(isRunning: false)
        try hosts.makeAuthority()
        try hosts.startAuthority()
        try TwoHosts.write("", to: hosts.partyDirectory + "/server.conf")
        #expect(code(hosts) == 69)
        #expect(try hosts.given() == [])
    }
}
