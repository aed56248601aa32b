// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Two servers as processes on one PostgreSQL database.
final class LiveNodes {
    let postgreSQL: PostgreSQLServer
    let database: String
    let first: RunningServer
    let second: RunningServer

    convenience init(configuration: String = "", second other: String? = nil, starts: Bool = true) throws {
        let server = try PostgreSQLServer.shared.get()
        let database = try server.makeDatabase()
        try self.init(server, [database, database], configuration, other ?? configuration, starts: starts)
    }

    /// Two servers on a primary and its standby, with the hosts in either order.
    convenience init(_ pair: PostgreSQLPair, configuration: String = "") throws {
        try self.init(pair.primary, [pair.database, pair.reversed], configuration, configuration, starts: true)
    }

    private init(
        _ server: PostgreSQLServer, _ databases: [String], _ configuration: String, _ other: String, starts: Bool
    ) throws {
        (postgreSQL, database) = (server, databases[0])
        func settings(_ more: String) -> String {
            "status_socket = \(NSTemporaryDirectory())mpin-node-\(UUID().uuidString.prefix(8))\n\(more)"
        }
        first = try RunningServer(configuration: settings(configuration), starts: starts, database: databases[0])
        second = try RunningServer(
            configuration: settings(other), starts: starts, database: databases[1], joining: first)
    }
}

extension RunningServer {
    /// The answer of a node's `/healthz`.
    func health() throws -> Answer {
        let settings = try String(contentsOfFile: directory + "/server.conf", encoding: .utf8)
        let line = settings.split(separator: "\n").first { $0.hasPrefix("status_socket = ") } ?? ""
        return try SocketPeer(path: String(line.dropFirst("status_socket = ".count))).get("/healthz")
    }

    /// Waits until a part of the server has a fault.
    func hasFault(_ part: String, _ reason: String, seconds: Double = 30) -> Bool {
        becomes(seconds: seconds) {
            guard let answer = try? self.health(), answer.status == 503 else { return false }
            return (answer.object[part] as? String)?.contains(reason) == true
        }
    }
}
