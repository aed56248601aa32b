// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// The port for metrics: what it serves, its limits, and that logins do not depend on it.
@Suite(.serialized) struct MetricsPortTests {
    /// A server with the port, whose number the system chooses.
    static func server(_ configuration: String = "") throws -> (server: RunningServer, port: SocketPeer) {
        let server = try RunningServer(configuration: "metrics_listen = 127.0.0.1:0\n" + configuration)
        return (server, SocketPeer(port: try port(of: server)))
    }

    /// The port in the log, which the server opens when it is ready.
    static func port(of server: RunningServer) throws -> UInt16 {
        #expect(becomes { server.logText.contains("metrics on ") })
        let match = try #require(server.logText.firstMatch(of: /metrics on http:\/\/127\.0\.0\.1:([0-9]+)\/metrics/))
        return try #require(UInt16(match.1))
    }

    @Test func `it serves health and metrics, and nothing else`() throws {
        let (server, port) = try Self.server()
        #expect(server.readyLine == "mpin-server: ready on unix:\(server.socket)\n")
        let metrics = try port.get("/metrics")
        #expect(
            metrics.status == 200 && metrics.headers["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
        #expect(metrics.text.contains("\nmpin_healthy{part=\"database\"} 1\n"))
        let health = try port.get("/healthz")
        #expect(health.status == 200 && health.object["ok"] as? Bool == true, "\(health.text)")
        for path in ["/", "/rps/clientSettings", "/backup", "/metrics/", "//metrics", "/rps/user", "/healthz/x"] {
            #expect(try port.get(path).status == 404, "\(path)")
            #expect(try port.post(path, [UInt8]()).status == 404, "\(path)")
        }
        for path in ["/metrics", "/healthz"] { #expect(try port.post(path, [UInt8]()).status == 405) }
        for path in ["/metrics", "/healthz"] { #expect(try server.peer.get(path).status == 404) }
    }

    @Test func `its clients have places of their own`() throws {
        let (server, port) = try Self.server()
        let crowd = try (0..<100).map { _ in try port.connect() }
        defer { crowd.forEach { close($0) } }
        #expect(try server.peer.get("/").status == 200)
        #expect(try port.get("/healthz").status == 200)
        // The newest connections of the crowd have taken the places of older ones.
        func isClosed(_ file: Int32) -> Bool {
            var byte: UInt8 = 0
            return unsafe recv(file, &byte, 1, Int32(MSG_DONTWAIT)) >= 0 || errno != EAGAIN
        }
        // After 15 seconds the server would close all of them.
        #expect(becomes { crowd.count(where: isClosed) >= 100 - 64 })
        #expect(try becomes { try port.get("/metrics").text.contains("\nmpin_connections 0\n") })
        #expect(server.stop() == 0)
    }

    /// Its readers are unknown, and a report opens the master shares.
    @Test func `its reports are made once a second at most`() throws {
        let (server, port) = try Self.server()
        // On a busy machine two requests may be more than a second apart.
        var isRepeated = false
        for _ in 1...8 where !isRepeated {
            let first = try port.get("/metrics").text
            #expect(try server.peer.get("/rps/clientSettings").status == 200)
            isRepeated = try port.get("/metrics").text == first
            #expect(try becomes { try port.get("/metrics").text != first })
        }
        #expect(isRepeated)
    }

    @Test func `logins work while another program has the port`() throws {
        let (other, port) = try Self.server()
        let server = try RunningServer(configuration: "metrics_listen = 127.0.0.1:\(port.port)\n")
        let fault = "no metrics, but logins work: cannot listen on 127.0.0.1:\(port.port): Address already in use"
        #expect(becomes { server.logText.contains(fault) }, "\(server.logText)")
        #expect(try server.peer.get("/rps/clientSettings").status == 200)
        #expect(other.stop() == 0)
        #expect(becomes { server.logText.contains("metrics on ") })
        #expect(try port.get("/healthz").status == 200)
        #expect(!server.logText.contains(" error ") && !server.logText.contains(" critical "), "\(server.logText)")
        #expect(server.stop() == 0)
    }

    /// A wildcard includes the listener's own address.
    @Test func `the port never takes an address from a listener`() throws {
        let (other, port) = try Self.server()
        #expect(other.stop() == 0)
        let server = try RunningServer(configuration: "metrics_listen = 0.0.0.0:\(port.port)\n")
        #expect(server.stop() == 0)
        try server.start(
            listen: ["127.0.0.1:\(port.port)"], options: ["--status", "unix:\(server.directory)/status.sock"])
        #expect(becomes { server.logText.contains("no metrics") })
        // Only an administrator can see it: the other program could serve metrics of its own.
        #expect(try server.command("status").object["metricsPortOpen"] as? Bool == false)
        #expect(try port.get("/rps/clientSettings").status == 200)
        let begin = ContinuousClock.now
        #expect(server.stop() == 0)
        // It does not wait for the next attempt.
        #expect(begin.duration(to: .now) < .seconds(8))
    }

    @Test(arguments: [
        ("metrics_listen = unix:/run/x", "'metrics_listen' must be ADDRESS:PORT"),
        ("metrics_listen = example.org:80", "'metrics_listen' must be ADDRESS:PORT"),
        ("metrics_listen =", "'metrics_listen' must be ADDRESS:PORT"),
        (
            "listen = 127.0.0.1:9\nmetrics_listen = 127.0.0.1:9",
            "listen and metrics_listen must name different addresses"
        ),
    ])
    func `values that cannot be used are refused`(_ configuration: String, _ message: String) throws {
        let server = try RunningServer()
        _ = server.stop()
        try Data((configuration + "\n").utf8).write(to: URL(fileURLWithPath: server.directory + "/server.conf"))
        let check = try server.command("config", "check")
        #expect(check.code == 78 && check.output.contains(message), "\(check)")
        let run = try Program.run(["serve", "--dir", server.directory])
        #expect(run.code == 78 && run.errors.contains(message), "\(run)")
    }
}
