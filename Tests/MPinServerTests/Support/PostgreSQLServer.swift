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
    static let shared = Result { try PostgreSQLServer(programs ?? { throw Failed(status: 127) }()) }

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

    fileprivate let programs: String
    fileprivate let directory: String
    private let count = Mutex(0)
    /// The server ends with this process, which has the other end of the pipe.
    private let life: Pipe

    private init(_ programs: String) throws {
        self.programs = programs
        life = Pipe()
        directory = NSTemporaryDirectory() + "mpin-postgresql-\(getpid())"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        // PostgreSQL does not run as root.
        let user = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
        if getuid() == 0 { try Self.run("/bin/chown", ["65534:65534", directory]) }
        let script = """
            cd "$2"
            \(user) "$1/initdb" --username=mpin --auth=trust --encoding=UTF8 --locale=C --pgdata="$2/data" >&2 || exit
            \(user) "$1/postgres" -D "$2/data" -k "$2" -c listen_addresses= -c max_connections=600 >"$2/log" 2>&1 &
            read -r _ <&3
            kill -INT $!
            wait
            rm -rf "$2"
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "exec 3<&0 </dev/null; " + script, "sh", programs, directory]
        process.standardInput = life
        process.standardError = FileHandle.nullDevice
        try process.run()
        for _ in 0..<300 {
            if (try? Self.run(Self.client + "psql", ["-qh", directory, "-U", "mpin", "-c", "SELECT 1", "postgres"]))
                != nil
            {
                return
            }
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

    /// Makes an empty database.
    ///
    /// - Returns: its address, as the setting `database` names it.
    func makeDatabase() throws -> String {
        let name = "test\(count.withLock { $0 += 1; return $0 })"
        try Self.run(Self.client + "createdb", ["-h", directory, "-U", "mpin", name])
        return "postgresql://mpin@\(directory.replacingOccurrences(of: "/", with: "%2F"))/\(name)"
    }
}

extension PostgreSQLServer {
    /// `psql` with a database of this server, which runs statements until it has ended.
    func session(_ database: String, _ sql: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.client + "psql")
        let name = database.split(separator: "/").last.map(String.init) ?? ""
        process.arguments = ["-qAtXh", directory, "-U", "mpin", "-v", "ON_ERROR_STOP=1", "-c", sql, name]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Runs statements.
    func run(_ database: String, _ sql: String) throws {
        let process = try session(database, sql)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests that change an SQLite database in ways of its own.
    static var onSQLite: Self { .enabled(if: Fixture.engine == .sqlite) }

    static var withPostgreSQL: Self { .enabled(if: PostgreSQLServer.isInstalled) }
}
