// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServerStorage
import Synchronization
import Testing

/// Debian's PostgreSQL in a directory of its own, until this process ends. Its fsync is on.
final class PostgreSQLServer: Sendable {
    /// Whether Debian's package is here.
    static let isInstalled = programs != nil
    /// The server, which its first user starts.
    static let shared = Result { try PostgreSQLServer() }

    private static var programs: String? {
        let roots = ["", FileManager.default.currentDirectoryPath + "/.build/debian"]
        for versions in roots.map({ $0 + "/usr/lib/postgresql" }) {
            let found = (try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? []
            for version in found.sorted().reversed() {
                let path = "\(versions)/\(version)/bin"
                if FileManager.default.isExecutableFile(atPath: path + "/postgres") { return path }
            }
        }
        return nil
    }

    /// The directory of Debian's client programs, which are installed.
    private static let client = "/usr/bin/"

    struct Failed: Error { let status: Int32 }

    private let programs: String
    let directory: String
    private let count = Mutex(0)
    /// The shell whose child the server is. The server ends with this process, which has the other end of the pipe.
    let shell = Mutex<(process: Process, life: Pipe)?>(nil)

    /// A new one, without databases.
    convenience init(options: [String] = []) throws {
        try self.init(
            making: #""$1/initdb" --username=mpin --auth=trust --encoding=UTF8 --locale=C --pgdata=data"#,
            options: options)
    }

    /// - Parameters:
    ///   - command: makes the directory `data`, in the syntax of the shell.
    ///   - options: of the server.
    init(making command: String, options: [String] = []) throws {
        programs = try Self.programs ?? { throw Failed(status: 127) }()
        directory = NSTemporaryDirectory() + "mpin-postgresql-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        if getuid() == 0 { try Self.run("/bin/chown", ["65534:65534", directory]) }
        try start(making: command, options: options)
    }

    /// Starts the server, and waits until it answers.
    ///
    /// - Parameter command: what makes its data; nil for data that is there.
    func start(making command: String? = nil, options: [String] = [], port: Int = 5_432) throws {
        // PostgreSQL does not run as root.
        let user = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : "env"
        let script = """
            cd "$2" || exit
            \(command.map { "\(user) \($0) >&2 || exit" } ?? "")
            programs=$1 directory=$2; shift 2
            \(user) "$programs/postgres" -D data -k "$directory" -c listen_addresses= -c max_connections=600 -p \(port) "$@" >>log 2>&1 &
            read -r _ <&3
            kill -INT $!
            wait
            rm -rf "$directory"
            """
        let process = Process()
        let life = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "exec 3<&0 </dev/null; " + script, "sh", programs, directory] + options
        process.standardInput = life
        process.standardError = FileHandle.nullDevice
        try process.run()
        shell.withLock { $0 = (process, life) }
        for _ in 0..<300 {
            if (try? run("postgres", "SELECT 1", port: port)) != nil { return }
            guard process.isRunning else { throw Failed(status: process.terminationStatus) }
            Thread.sleep(forTimeInterval: 0.1)
        }
        throw Failed(status: 0)
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
    }

    /// This server in the setting `database`.
    var host: String { directory.replacingOccurrences(of: "/", with: "%2F") }

    /// Makes an empty database.
    ///
    /// - Returns: its address, as the setting `database` names it.
    func makeDatabase() throws -> String {
        let name = "test\(count.withLock { $0 += 1; return $0 })"
        try Self.run(Self.client + "createdb", ["-h", directory, "-U", "mpin", name])
        return "postgresql://mpin@\(host)/\(name)"
    }
}

extension PostgreSQLServer {
    /// `psql` with a database of this server, which runs statements until it has ended.
    func session(_ database: String, _ sql: String, output: Pipe? = nil, port: Int = 5_432) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.client + "psql")
        let name = database.split(separator: "/").last.map(String.init) ?? ""
        process.arguments = [
            "-qAtXh", directory, "-U", "mpin", "-p", "\(port)", "-v", "ON_ERROR_STOP=1", "-c", sql, name,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output ?? FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Runs statements.
    ///
    /// - Returns: the last result, with a line for each row and `|` between its columns.
    @discardableResult func run(_ database: String, _ sql: String, port: Int = 5_432) throws -> String {
        let output = Pipe()
        let process = try session(database, sql, output: output, port: port)
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests that change an SQLite database in ways of its own.
    static var onSQLite: Self { .enabled(if: Fixture.engine == .sqlite) }

    static var withPostgreSQL: Self { .enabled(if: PostgreSQLServer.isInstalled) }
}
