// SPDX-License-Identifier: Apache-2.0
import Foundation

/// `mpin-server serve` as a process, on a directory and socket that go away with it.
final class RunningServer {
    struct NotReady: Error { let errors: String }

    let directory: String
    let socket: String
    private(set) var readyLine = ""
    private var process = Process()
    private let environment: [String: String]

    /// - Parameters:
    ///   - environment: what the server's environment has beyond this one's.
    ///   - database: the PostgreSQL database; nil for SQLite.
    ///   - node: a server on the same database, which this one joins.
    init(
        configuration: String? = nil, environment: [String: String] = [:], listen: [String]? = nil,
        options: [String] = [], starts: Bool = true, database: String? = nil, joining node: RunningServer? = nil
    ) throws {
        self.environment = environment
        directory = NSTemporaryDirectory() + "mpin-live-" + UUID().uuidString.prefix(8)
        socket = directory + ".sock"
        if let database {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try write(settings: "database = \(database)\n" + (configuration ?? ""))
        }
        let key = node.map { ["join", "--key", $0.directory + "/state/seal.key"] }
        let made = try Program.run((key ?? ["init"]) + ["--dir", directory])
        guard made.code == 0 else { throw NotReady(errors: made.errors) }
        if let configuration, database == nil { try write(settings: configuration) }
        if starts { try start(listen: listen, options: options) }
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(atPath: directory)
        try? FileManager.default.removeItem(atPath: socket)
        try? FileManager.default.removeItem(atPath: log)
    }

    private var log: String { directory + ".log" }

    /// The server's log since its last start.
    var logText: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    var processIdentifier: Int32 { process.processIdentifier }

    var isRunning: Bool { process.isRunning }

    var peer: SocketPeer { SocketPeer(path: socket) }

    /// Starts the server and waits for its ready line.
    ///
    /// - Parameters:
    ///   - listen: the addresses of the command line; nil for the socket.
    ///   - launcher: a command that becomes the server when the server's command line follows it.
    ///   - more: what the server's environment has besides.
    func start(
        listen: [String]? = nil, options: [String] = [], by launcher: [String] = [],
        environment more: [String: String] = [:]
    ) throws {
        process = Process()
        let addresses = (listen ?? ["unix:\(socket)"]).flatMap { ["--listen", $0] }
        let serve = ["serve", "--dir", directory] + addresses + options
        let words = launcher + [try Program.path] + serve
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        let output = Pipe()
        process.standardOutput = output
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }.merging(more) { $1 }
        FileManager.default.createFile(atPath: log, contents: nil)
        process.standardError = FileHandle(forWritingAtPath: log)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var line = Data()
        while !line.contains(0x0A) {
            let next = output.fileHandleForReading.availableData
            guard !next.isEmpty else { throw NotReady(errors: String(decoding: line, as: UTF8.self)) }
            line += next
        }
        readyLine = String(decoding: line, as: UTF8.self)
    }

    /// The port behind the last ready line.
    var port: UInt16 {
        UInt16(readyLine.split(separator: ":").last?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "") ?? 0
    }

    func write(settings: String) throws {
        try Data(settings.utf8).write(to: URL(fileURLWithPath: directory + "/server.conf"), options: .atomic)
    }

    /// Replaces the settings, and has the server read them.
    func reload(_ settings: String) throws {
        try write(settings: settings)
        _ = Glibc.kill(processIdentifier, SIGHUP)
    }

    /// Asks the server to stop. Returns its exit code.
    func stop() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }

    func wait() { process.waitUntilExit() }

    /// Kills the server as a power failure would.
    func kill() {
        guard process.isRunning else { return }
        _ = Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func command(_ arguments: String...) throws -> Program.Result {
        try Program.run(arguments + ["--dir", directory, "--json"])
    }

    func invite(_ user: String) throws -> String { try command("invite", user).object["code"] as? String ?? "" }

    /// - Parameter other: where the server listens, unless that is its socket.
    func enroll(_ user: String, pin: String = "1234", at other: SocketPeer? = nil) throws -> ClientRegistration {
        try ClientRegistration.register(user, code: invite(user), pin: pin, at: other ?? peer)
    }

    /// A server with the registration of a client of 2016.
    static func enrolled(configuration: String? = nil) throws -> (RunningServer, ClientRegistration) {
        let server = try RunningServer(configuration: configuration)
        return (server, try server.enroll("alice"))
    }
}
