// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerRoles
import MPinServerStorage
import Synchronization

/// A server of its own in a temporary directory that goes away with it.
final class Fixture: Sendable, Peer {
    /// What stores the tables of fixtures, unless a test says otherwise.
    static let engine: EngineKind =
        ProcessInfo.processInfo.environment["MPIN_DATABASE"] == "postgresql" ? .postgresql : .sqlite

    /// The status of logins of one device, of which too many are in progress. With SQLite, all of them wait.
    static let tooMany = engine == .postgresql ? [429] : []

    let path: String
    let clock: ManualClock
    /// The PostgreSQL database; nil for SQLite.
    let postgreSQL: String?
    private let server: Mutex<LoginServer>

    init(
        configuration: String? = nil, publicURL: String? = nil, clock: ManualClock = ManualClock(),
        engine: EngineKind = Fixture.engine
    ) throws {
        path = Self.newPath()
        self.clock = clock
        postgreSQL = try engine == .sqlite ? nil : PostgreSQLServer.shared.get().makeDatabase()
        let setting = postgreSQL.map { "database = \($0)\n" } ?? ""
        try Self.write(setting, path)
        _ = try Initialization.run(ServerDirectory(path), publicURL: publicURL, actor: "test")
        try Self.write(setting + (configuration ?? ""), path)
        server = Mutex(try Self.open(path, clock))
    }

    /// Another node on the database of a fixture.
    init(besides other: Fixture) throws {
        path = Self.newPath()
        clock = other.clock
        postgreSQL = other.postgreSQL
        try FileManager.default.copyItem(atPath: other.path, toPath: path)
        server = Mutex(try Self.open(path, clock))
    }

    private static func newPath() -> String { NSTemporaryDirectory() + "mpin-server-test-" + UUID().uuidString }

    private static func write(_ settings: String, _ path: String) throws {
        guard !settings.isEmpty else { return }
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data(settings.utf8).write(to: URL(fileURLWithPath: path + "/server.conf"))
    }

    /// The storage, over connections of its own.
    var storage: ServerStorage { get throws { try ServerDirectory(path).storage(.writing) } }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    private static func open(_ path: String, _ clock: ManualClock) throws -> LoginServer {
        try LoginServer(ServerDirectory(path), clock: clock.clock)
    }

    /// Another server on the same directory, as after `kill -9`.
    func restart() throws {
        let next = try Self.open(path, clock)
        server.withLock { $0 = next }
    }

    var current: LoginServer { server.withLock { $0 } }

    var administrator: Administrator {
        get throws { try Administrator(ServerDirectory(path), actor: "test", clock: clock.clock) }
    }

    func invite(_ user: String, seconds: Int? = nil) throws -> String {
        try administrator.invite([user], seconds: seconds).invitations[0].code
    }

    func send(_ method: String, _ target: String, _ body: [UInt8]) throws -> Answer {
        send(method, target, body, from: .user(1_000))
    }

    func send(
        _ method: String, _ target: String, headers: [String: String] = [:], _ body: [UInt8], from source: RequestSource
    ) -> Answer {
        switch outcome(method, target, headers: headers, body, from: source) {
        case .now(let response): Answer(response)
        case .later: Answer(status: 0, body: [])
        }
    }

    /// The result of a request, which may be an answer that waits.
    func outcome(
        _ method: String, _ target: String, headers: [String: String] = [:], _ body: [UInt8],
        from source: RequestSource = .user(1_000)
    ) -> RouteResult {
        let request = Request(method: method, target: target, headers: headers, body: body, source: source)
        return current.result(of: current.route(request))
    }

    /// This server, reached from another source.
    func from(_ source: RequestSource) -> Elsewhere { Elsewhere(fixture: self, source: source) }

    /// This server, with further headers.
    func with(_ headers: [String: String]) -> Elsewhere {
        Elsewhere(fixture: self, source: .user(1_000), headers: headers)
    }

    struct Elsewhere: Peer {
        let fixture: Fixture
        let source: RequestSource
        var headers: [String: String] = [:]

        func send(_ method: String, _ target: String, _ body: [UInt8]) throws -> Answer {
            fixture.send(method, target, headers: headers, body, from: source)
        }
    }

    /// The audit log as text.
    func auditText() throws -> String {
        current.flush()
        var events: [AuditLine] = []
        var reader = try administrator.auditReader(newest: nil)
        try reader.read { events += $0 }
        return events.map {
            "\($0.kind.rawValue) \($0.user ?? "-") \($0.source ?? "-") \($0.actor ?? "-") \($0.detail ?? "-")"
        }.joined(separator: "\n")
    }
}

extension Answer {
    init(_ response: Response) {
        self.init(status: response.status, body: response.body)
        for (name, value) in response.headers { headers[name.lowercased()] = value }
    }
}
