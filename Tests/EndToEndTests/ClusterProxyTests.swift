// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// docs/proxies/haproxy-cluster.cfg with the real HAProxy, as `scripts/test` unpacks it from Debian, and two servers.
    /// Each has a database of its own, which shows which of them has answered.
    @Suite(.serialized, .enabled(if: isRoot)) struct ClusterProxyTests {
        private typealias Logged = ProxyTests.Logged
        private static let file = "docs/proxies/haproxy-cluster.cfg"
        private static let environment = ["LD_LIBRARY_PATH": ProxyTests.libraries]

        /// A server with a port that trusts 127.0.0.1.
        private final class Node {
            let machine: Machine
            let port = Int.random(in: 20_000..<26_000)
            let metrics = Int.random(in: 26_000..<32_000)
            private var server: Logged?

            init(_ number: Int, _ certificate: ProxyTests.SiteCertificate) throws {
                machine = try Machine(isServing: false)
                try machine.write(
                    """
                    \(number == 1 ? "" : "public_url = https://node2.example.org")
                    listen = 127.0.0.1:\(port)
                    tls_cert = \(certificate.file)
                    tls_key = \(certificate.key)
                    trusted_proxy = 127.0.0.1
                    metrics_listen = 127.0.0.1:\(metrics)

                    """, to: "/server/server.conf")
                try start()
            }

            func start() throws {
                let directory = machine.directory
                server = try Logged(
                    Products.server, ["serve", "--dir", directory + "/server"], log: directory + "/server.log")
                try #require(becomes { log.contains("metrics on") }, "\(log)")
            }

            func stop() { server = nil }

            var log: String { server?.text ?? "" }

            /// The sources of its audit log.
            func sources() throws -> Set<String> {
                let events = try machine.administer("audit", "--json").json()["events"] as? [[String: Any]] ?? []
                return Set(events.compactMap { $0["source"] as? String })
            }
        }

        private struct Site: ServerAddress {
            let machine: Machine
            let certificate: ProxyTests.SiteCertificate
            let nodes: [Node]
            let port = Int.random(in: 32_000..<32_700)
            var url: String { "https://localhost:\(port)" }
            var authority: String? { certificate.file }
            private let proxy: Logged

            /// Nil if HAProxy is not there.
            init?() throws {
                let program = ProxyTests.Proxy.haproxy.program
                guard FileManager.default.isExecutableFile(atPath: program) else {
                    print("note: a test of \(ClusterProxyTests.file) is left out; scripts/test unpacks the program")
                    return nil
                }
                let machine = try Machine(isServing: false)
                let certificate = try ProxyTests.SiteCertificate(in: machine.directory)
                nodes = try [1, 2].map { try Node($0, certificate) }
                var text = try String(contentsOfFile: ClusterProxyTests.file, encoding: .utf8)
                func replace(_ old: String, _ new: String) {
                    #expect(text.components(separatedBy: old).count == 2, "\(old)")
                    text = text.replacingOccurrences(of: old, with: new)
                }
                replace("bind :443", "bind 127.0.0.1:\(port)")
                replace(" port 8711", "")
                for (node, name) in zip(nodes, ["node1 192.0.2.21:443 ", "node2 192.0.2.22:443 "]) {
                    replace(
                        "server " + name, "server \(name.prefix(5)) 127.0.0.1:\(node.port) port \(node.metrics) ")
                }
                try machine.write(
                    "global\nchroot \(machine.directory)\nuser nobody\ngroup nogroup\n" + text, to: "/site")
                proxy = try Logged(
                    program, ["-db", "-f", machine.directory + "/site"], log: machine.directory + "/proxy.log",
                    environment: environment)
                (self.machine, self.certificate) = (machine, certificate)
                #expect(try becomes { try node() == 1 }, "\(proxy.text)")
            }

            /// The number of the node that answers; nil if there is none.
            func node() throws -> Int? {
                let answer = try curl("-f", url + "/rps/clientSettings")
                return answer.status != 0 ? nil : answer.output.contains("https://node2.example.org/") ? 2 : 1
            }

            func curl(_ arguments: String...) throws -> Run {
                try Run("/usr/bin/curl", ["-sS", "--max-time", "30", "--cacert", certificate.file] + arguments)
            }
        }

        @Test func `HAProxy accepts the file`() throws {
            guard FileManager.default.isExecutableFile(atPath: ProxyTests.Proxy.haproxy.program) else { return }
            // Its place is after the settings of Debian's package.
            let debian = """
                global
                    log /dev/log local0
                defaults
                    log global
                    mode http
                    option httplog
                    timeout connect 5000
                    timeout client 50000
                    timeout server 50000

                """
            let file = NSTemporaryDirectory() + "mpin-haproxy-" + UUID().uuidString
            defer { try? FileManager.default.removeItem(atPath: file) }
            try (debian + String(contentsOfFile: Self.file, encoding: .utf8))
                .write(toFile: file, atomically: true, encoding: .utf8)
            let check = try Run(
                ProxyTests.Proxy.haproxy.program, ["-c", "-f", file], environment: Self.environment)
            #expect(check.status == 0 && !check.all.contains("[WARNING]"), "\(check.all)")
        }

        @Test func `a node sees its clients addresses through HAProxy, and the second one takes over`() throws {
            guard let site = try Site() else { return }
            let (first, second) = (site.nodes[0], site.nodes[1])
            try first.machine.register(at: site)
            #expect(try first.machine.enroll("test", at: site, pin: "4962").status == 0)
            let attempt = [
                "-X", "PUT", "-H", "X-Forwarded-For: 203.0.113.9", "--data",
                #"{"userId":"mallory","mobile":0,"activateCode":"AAAA"}"#, site.url + "/rps/user",
            ]
            for address in ["127.0.0.2", "127.0.0.3"] {
                let run = try Run(
                    "/usr/bin/curl", ["-sS", "--interface", address, "--cacert", site.certificate.file] + attempt)
                #expect(run.status == 0, "\(run.errors)")
            }
            #expect(try becomes(seconds: 30) { try first.sources() == ["127.0.0.1", "127.0.0.2", "127.0.0.3"] })
            // Clients see the certificate of the node.
            #expect(second.log.contains("/tls.crt is not for node2.example.org, so clients refuse it"), "\(second.log)")

            // A node that cannot use its database.
            let database = first.machine.directory + "/server/state/mpin.sqlite"
            try FileManager.default.moveItem(atPath: database, toPath: database + ".away")
            let health = "http://127.0.0.1:\(first.metrics)/healthz"
            #expect(try becomes(seconds: 30) { try site.curl("-w", "%{http_code}", health).output.hasSuffix("503") })
            #expect(try becomes(seconds: 30) { try site.node() == 2 })
            try FileManager.default.moveItem(atPath: database + ".away", toPath: database)
            #expect(try becomes(seconds: 30) { try site.node() == 1 })

            first.stop()
            #expect(try becomes(seconds: 30) { try site.node() == 2 })
            try first.start()
            #expect(try becomes(seconds: 30) { try site.node() == 1 })
            second.stop()
            #expect(try site.node() == 1)
        }

        /// Sends bytes and a request with TLS from an address. Prints the status of the response, or `closed`.
        private static let client = """
            import http.client, socket, ssl, sys
            source, port, header = sys.argv[1], int(sys.argv[2]), bytes.fromhex(sys.argv[3])
            context = ssl._create_unverified_context()
            try:
                line = socket.create_connection(("127.0.0.1", port), 30, (source, 0))
                line.sendall(header)
                connection = http.client.HTTPConnection("localhost")
                connection.sock = context.wrap_socket(line)
                connection.request("PUT", "/rps/user", '{"userId":"mallory","mobile":0,"activateCode":"AAAA"}')
                print(connection.getresponse().status)
            except (ConnectionError, ssl.SSLError): print("closed")
            """

        @Test func `only HAProxy can name another client`() throws {
            guard let site = try Site() else { return }
            let signature = "0d0a0d0a000d0a515549540a"
            // From 203.0.113.9.
            let header = signature + "2111000ccb0071090a000001040001bb"
            let wrong = signature + "1111000ccb0071090a000001040001bb"
            let first = site.nodes[0]
            func answer(_ source: String, _ port: Int, _ bytes: String) throws -> String {
                let run = try Run("/usr/bin/python3", ["-c", Self.client, source, "\(port)", bytes])
                return run.status == 0 ? run.output.trimmingCharacters(in: .newlines) : run.all
            }
            for bytes in ["", wrong] { #expect(try answer("127.0.0.1", first.port, bytes) == "closed") }
            #expect(try answer("127.0.0.2", first.port, header) == "closed")
            #expect(try answer("127.0.0.3", site.port, header) == "closed")
            let refused = try answer("127.0.0.4", first.port, "")
            #expect(try Int(refused) != nil && answer("127.0.0.5", site.port, "") == refused, "\(refused)")
            #expect(try becomes(seconds: 30) { try first.sources() == ["127.0.0.4", "127.0.0.5"] })
            // As HAProxy would send it.
            #expect(try answer("127.0.0.1", first.port, header) == refused)
            #expect(try becomes(seconds: 30) { try first.sources() == ["127.0.0.4", "127.0.0.5", "203.0.113.9"] })
        }
    }
}
