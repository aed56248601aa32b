// SPDX-License-Identifier: Apache-2.0
import CBenchmark
import Foundation
import MPinWire

/// The server under load from several clients at once.
enum ServerRows {
    private static let clients = 4
    private static let loginsEach = 500
    /// The longest wait for the load, in microseconds.
    private static let patience = 60e6

    static func measure(_ site: Site, _ report: inout Report) throws {
        if site.serverProcess == 0 { try site.startServer() }
        let socket = site.socket
        let clients = try (0..<clients).map {
            try LoadClient("bench\($0)", code: site.invitation(for: "bench\($0)"), socket: socket)
        }
        // The first logins make threads, caches and prepared statements.
        for client in clients { for _ in 0..<25 { try client.logIn(socket) } }

        let alone = try times(of: clients[0], socket, 200, until: Stopwatch.wall + patience)
        let before = try processorSeconds(site.serverProcess)
        let start = Stopwatch.wall
        let collected = Collected()
        DispatchQueue.concurrentPerform(iterations: clients.count) { index in
            collected.add(Swift.Result { try times(of: clients[index], socket, loginsEach, until: start + patience) })
        }
        let elapsed = (Stopwatch.wall - start) / 1e6
        let spent = try processorSeconds(site.serverProcess) - before
        let together = try collected.all()
        guard spent > 0, !together.isEmpty else { throw Failure("the server did nothing") }

        report.rows.append(
            Row(
                "server", "logins per second and core", Double(together.count) / spent, "/s", .atLeast(600),
                beside: "\(together.count) logins, \(Text.number(spent)) s of the server's CPU, "
                    + "\(Text.number(Double(together.count) / elapsed))/s by the clock"))
        report.rows.append(
            Row(
                "server", "latency of a login, one client: p50", percentile(alone, 50), "ms", nil,
                beside: tail(alone) + "; client's arithmetic included"))
        report.rows.append(
            Row(
                "server", "latency of a login, \(clients.count) clients: p50", percentile(together, 50), "ms", nil,
                beside: tail(together)))
    }

    /// How many log in directly at once, and how often each. In five rounds, the server issues no more certificates.
    static let (directClients, directLoginsEach) = (64, 15)
    /// A public key that ssh-keygen made.
    private static let sshKey: ByteText = "AAAAC3NzaC1lZDI1NTE5AAAAIIj/tJoWGEutaCZtdcgc9mKLAKPkCmwjhvz1YBoqU1Om"

    /// What a direct login costs the server, beside OpenSSL's multiplication on the same curve in the same minutes; and
    /// what one that gets an ssh certificate costs.
    static func measureDirect(_ site: Site, _ report: inout Report) throws {
        if site.serverProcess == 0 { try site.startServer() }
        guard mpin_openssl_multiply(1) == 0 else {
            report.left.append("direct logins: there is no libcrypto.so.3")
            return
        }
        try site.command("ssh", "enable")
        var best = Double.infinity, bestCertificate = Double.infinity
        var multiplication = Double.infinity
        var rates = [1: 0.0, 8: 0.0, directClients: 0.0]
        for round in 0..<5 {
            // Of its own users, who have had no certificate.
            let clients = try (0..<directClients).map { number in
                let user = "direct\(round)-\(number)"
                try site.command("ssh", "allow", user)
                return try DirectClient.register(user, code: site.invitation(for: user), socket: site.socket)
            }
            for client in clients { for _ in 0..<3 { try client.logIn(site.socket) } }
            for (count, rate) in rates {
                let load = try load(.login, clients.prefix(count), site.serverProcess, site.socket)
                rates[count] = max(rate, 1e6 / load.clock)
                if count == directClients { best = min(best, load.processor) }
            }
            bestCertificate = min(
                bestCertificate,
                try load(
                    .sshCertificate(sshKey), clients[...], site.serverProcess, site.socket
                ).processor)
            for _ in 0..<40 {
                let start = Stopwatch.processor
                _ = mpin_openssl_multiply(4)
                multiplication = min(multiplication, (Stopwatch.processor - start) / 4)
            }
        }
        report.rows.append(
            Row(
                "server", "direct login, \(directClients) clients: server's CPU", best / multiplication,
                "x OpenSSL", .atMost(4),
                beside: "\(Text.number(best)) us each; EC_POINT_mul \(Text.number(multiplication)) us"))
        for (count, rate) in rates.sorted(by: { $0.key < $1.key }) {
            let name = count == 1 ? "one client" : "\(count) clients"
            report.rows.append(
                Row("server", "direct logins per second, \(name)", rate, "/s", nil, beside: "by the clock"))
        }
        report.rows.append(
            Row(
                "server", "ssh certificate: server's CPU", bestCertificate / best, "x direct login", .atMost(1.3),
                beside: "\(Text.number(bestCertificate)) us each"))
    }

    /// What a direct login of several clients at once takes, in microseconds: of the server's processor time, and by the
    /// clock.
    static func load(
        _ purpose: DirectPurpose, _ some: ArraySlice<DirectClient>, _ server: pid_t, _ socket: String
    ) throws -> (processor: Double, clock: Double) {
        let clients = Array(some), each = max(directLoginsEach, 120 / clients.count)
        // Made beforehand, so that the load is the server's own.
        let bodies = try clients.map { client in try (0..<each).map { _ in try client.body(purpose) } }
        let before = try processorSeconds(server), start = Stopwatch.wall
        let collected = Collected()
        let group = DispatchGroup()
        for index in clients.indices {
            group.enter()
            Thread.detachNewThread {
                collected.add(Swift.Result { try send(bodies[index], clients[index], socket) })
                group.leave()
            }
        }
        group.wait()
        let elapsed = Stopwatch.wall - start, count = Double(try collected.all().count)
        return ((try processorSeconds(server) - before) * 1e6 / count, elapsed / count)
    }

    private static func send(_ bodies: [[UInt8]], _ client: DirectClient, _ socket: String) throws -> [Double] {
        try bodies.map { body in
            try client.send(body, socket)
            return 0
        }
    }

    private final class Collected: @unchecked Sendable {
        private let lock = NSLock()
        private var results: [Swift.Result<[Double], any Error>] = []

        func add(_ result: Swift.Result<[Double], any Error>) { lock.withLock { results.append(result) } }

        func all() throws -> [Double] { try lock.withLock { try results.flatMap { try $0.get() } } }
    }

    private static func times(
        of client: LoadClient, _ socket: String, _ count: Int, until end: Double
    ) throws -> [Double] {
        var times: [Double] = []
        while times.count < count, Stopwatch.wall < end {
            let start = Stopwatch.wall
            try client.logIn(socket)
            times.append((Stopwatch.wall - start) / 1_000)
        }
        return times
    }

    private static func percentile(_ times: [Double], _ percent: Int) -> Double {
        times.sorted()[min(times.count - 1, times.count * percent / 100)]
    }

    private static func tail(_ times: [Double]) -> String {
        "p90 \(Text.number(percentile(times, 90))), p99 \(Text.number(percentile(times, 99)))"
    }

    /// User and system time of a process so far.
    static func processorSeconds(_ process: pid_t) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        // Fields 14 and 15 of proc_pid_stat(5).
        return ((Double(fields[12]) ?? 0) + (Double(fields[13]) ?? 0)) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
