// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinWire

/// Direct logins with SQLite and with PostgreSQL, in turns: on this machine, with a synchronous standby, and with a
/// longer way to the database.
enum ClusterRows {
    private static let counts = [1, 8, 64]
    private static let rounds = 5

    /// A server under load, with its clients and what was measured.
    private final class Node {
        let name: String
        let process: pid_t
        let socket: String
        let clients: [DirectClient]
        var rates: [Int: [Double]] = [:]

        init(_ name: String, _ process: pid_t, _ socket: String, _ clients: [DirectClient]) {
            (self.name, self.process, self.socket, self.clients) = (name, process, socket, clients)
        }

        func rate(_ count: Int) -> Double { ClusterRows.median(rates[count] ?? []) }
    }

    static func measure(_ site: Site, _ report: inout Report) throws {
        guard let programs = Databases.programs else {
            report.left.append("cluster: PostgreSQL is not installed. Run: apt-get install postgresql")
            return
        }
        let databases = try Databases(site, programs)
        defer { databases.remove() }
        let one = try databases.start("one"), pair = try databases.start("pair")
        try databases.startStandby(of: pair)
        let (sqlite, plain) = (try node("SQLite", nil, site), try node("PostgreSQL", one, site))
        var nodes = [sqlite, plain, try node("PostgreSQL, synchronous standby", pair, site)]
        for milliseconds in [2, 20] {
            let distant = try databases.startProxy(one, milliseconds: milliseconds)
            nodes.append(try node("PostgreSQL, \(milliseconds) ms", distant, site, joining: plain))
        }
        var (bytes, seconds) = ([Double](), [Double]())
        for _ in 0..<rounds {
            for node in nodes.shuffled() {
                for count in counts {
                    let before = try (databases.written(one), databases.processorSeconds(one))
                    let load = try ServerRows.load(.login, node.clients.prefix(count), node.process, node.socket)
                    node.rates[count, default: []].append(1e6 / load.clock)
                    guard node === plain, count == counts.last else { continue }
                    let logins = Double(count * ServerRows.directLoginsEach)
                    bytes.append((try databases.written(one) - before.0) / logins)
                    seconds.append((try databases.processorSeconds(one) - before.1) / logins)
                }
            }
        }
        for node in nodes {
            for count in counts {
                let clients = count == 1 ? "one client" : "\(count) clients"
                let ratio = "\(Text.number(node.rate(count) / sqlite.rate(count))) x SQLite"
                report.rows.append(
                    Row(
                        "cluster", "direct logins per second, \(clients): \(node.name)", node.rate(count), "/s", nil,
                        beside: node === sqlite ? "median of \(rounds)" : ratio))
            }
        }
        report.rows.append(
            Row(
                "cluster", "PostgreSQL's log of a direct login", median(bytes), "bytes", nil,
                beside: "with the pages after a checkpoint, and the rows of the nodes"))
        report.rows.append(
            Row("cluster", "PostgreSQL's CPU of a direct login", median(seconds) * 1e6, "us", nil, beside: "64 clients")
        )
    }

    private static func median(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }

    /// - Parameters:
    ///   - database: the directory of its socket; nil for SQLite.
    ///   - other: a node on the same database, whose clients this one has too.
    private static func node(_ name: String, _ database: String?, _ site: Site, joining other: Node? = nil) throws
        -> Node
    {
        let directory = site.path("node-" + name.filter(\.isLetter) + name.filter(\.isNumber))
        let socket = directory + ".sock", server = site.places.server
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        if let database {
            let host = database.replacingOccurrences(of: "/", with: "%2F")
            try Data("database = postgresql://mpin@\(host)/mpin\n".utf8)
                .write(to: URL(fileURLWithPath: directory + "/server.conf"))
        }
        func run(_ words: [String]) throws -> String {
            let run = try site.places.run(server, words + ["--dir", directory])
            guard run.status == 0 else { throw Failure("mpin-server \(words[0]): \(run.errors)") }
            return run.output
        }
        let key = other.map { ["join", "--key", $0.socket.dropLast(".sock".count) + "/state/seal.key"] }
        _ = try run(key ?? ["init"])
        let process = try site.startBeside(server, ["serve", "--dir", directory, "--listen", "unix:" + socket]) {
            access(socket, F_OK) == 0
        }
        let clients =
            try other?.clients
            ?? (0..<(counts.last ?? 1)).map { number in
                let made = try JSONSerialization.jsonObject(
                    with: Data(run(["invite", "user\(number)", "--json"]).utf8))
                let code = (made as? [String: Any])?["code"] as? String ?? ""
                return try DirectClient.register("user\(number)", code: code, socket: socket)
            }
        for client in clients { for _ in 0..<3 { try client.logIn(socket) } }
        return Node(name, process, socket, clients)
    }
}

/// PostgreSQL's servers, in directories of their own, with fsync.
private struct Databases {
    static var programs: String? {
        for root in [FileManager.default.currentDirectoryPath + "/.build/debian", ""] {
            let places = root + "/usr/lib/postgresql"
            let versions = (try? FileManager.default.contentsOfDirectory(atPath: places)) ?? []
            let found = versions.sorted().map { "\(places)/\($0)/bin" }
                .last { FileManager.default.isExecutableFile(atPath: $0 + "/postgres") }
            if let found { return found }
        }
        return nil
    }

    private let site: Site
    private let programs: String
    private let directory: String
    /// PostgreSQL does not run as root.
    private let user = getuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : ["env"]

    init(_ site: Site, _ programs: String) throws {
        (self.site, self.programs, directory) = (site, programs, site.directory + "-postgresql")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        if getuid() == 0 { chown(directory, 65_534, 65_534) }
    }

    func remove() { try? FileManager.default.removeItem(atPath: directory) }

    private func run(_ words: [String]) throws -> String {
        let run = try site.places.run("/usr/bin/env", words)
        guard run.status == 0 else { throw Failure("\(words): \(run.errors)") }
        return run.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func query(_ place: String, _ sql: String, _ database: String = "mpin") throws -> String {
        try run(["psql", "-qAtX", "-h", place, "-U", "mpin", "-c", sql, database])
    }

    private func make(_ name: String, _ words: (String) -> [String]) throws -> String {
        let place = directory + "/" + name
        _ = try run(user + ["mkdir", place])
        _ = try run(user + words(place + "/data"))
        let arguments = user + ["\(programs)/postgres", "-D", place + "/data", "-k", place, "-c", "listen_addresses="]
        _ = try site.startBeside("/usr/bin/env", arguments) { (try? query(place, "SELECT 1", "postgres")) != nil }
        return place
    }

    /// - Returns: the directory of the socket.
    func start(_ name: String) throws -> String {
        let place = try make(name) { data in
            ["\(programs)/initdb", "--username=mpin", "--auth=trust", "--encoding=UTF8", "--locale=C", "-D", data]
        }
        _ = try query(place, "CREATE DATABASE mpin", "postgres")
        return place
    }

    func startStandby(of place: String) throws {
        _ = try make("standby") { data in
            ["/usr/bin/pg_basebackup", "-h", place, "-U", "mpin", "-D", data, "-R", "-X", "stream", "-c", "fast"]
        }
        _ = try query(place, "ALTER SYSTEM SET synchronous_standby_names = '*'")
        _ = try query(place, "SELECT pg_reload_conf()")
    }

    /// - Returns: the directory of the socket behind which the server is far away.
    func startProxy(_ place: String, milliseconds: Int) throws -> String {
        let (far, name) = ("\(directory)/far\(milliseconds)", "/.s.PGSQL.5432")
        _ = try run(["mkdir", far])
        let arguments = [site.places.tools + "/delay.py", far + name, place + name, "\(milliseconds)"]
        _ = try site.startBeside("/usr/bin/env", ["python3"] + arguments) { access(far + name, F_OK) == 0 }
        return far
    }

    /// The bytes that the server has written to its log.
    func written(_ place: String) throws -> Double {
        Double(try query(place, "SELECT pg_current_wal_insert_lsn() - '0/0'")) ?? 0
    }

    /// The processor time of the server's sessions and other processes.
    func processorSeconds(_ place: String) throws -> Double {
        let file = try String(contentsOfFile: place + "/data/postmaster.pid", encoding: .utf8)
        guard let main = file.split(separator: "\n").first else { return 0 }
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
            .filter { process in
                let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
                let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
                return fields.count > 2 && fields[2] == main
            }
            .reduce(0) { $0 + ((try? ServerRows.processorSeconds($1)) ?? 0) }
    }
}
