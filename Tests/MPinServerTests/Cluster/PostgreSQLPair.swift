// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization

/// A primary and its synchronous standby, until this is released.
final class PostgreSQLPair: Sendable {
    let primary: PostgreSQLServer
    let standby: PostgreSQLServer

    init() throws {
        primary = try PostgreSQLServer()
        try primary.run("postgres", "CREATE DATABASE mpin")
        standby = try PostgreSQLServer(
            making: #"/usr/bin/pg_basebackup -h '\#(primary.directory)' -U mpin -D data -R -X stream -c fast"#)
        try primary.run("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'")
        try primary.run("postgres", "SELECT pg_reload_conf()")
    }

    deinit {
        standby.destroy()
        primary.destroy()
    }

    /// The setting `database` of a node.
    var database: String { "postgresql://mpin@\(primary.host),\(standby.host)/mpin" }
    /// With the hosts in the other order.
    var reversed: String { "postgresql://mpin@\(standby.host),\(primary.host)/mpin" }

    func promote() throws { try standby.run("postgres", "SELECT pg_promote()") }
}

extension PostgreSQLServer {
    /// Sends a signal to all processes of the server. Each of them is the leader of a group.
    private func signal(_ number: Int32) {
        let file = try? String(contentsOfFile: directory + "/data/postmaster.pid", encoding: .utf8)
        guard let first = file?.split(separator: "\n").first, let main = pid_t(first) else { return }
        // From now on, it makes no further processes.
        kill(main, SIGSTOP)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let process = pid_t(name),
                let stat = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8)
            else { continue }
            let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
            if fields.count > 2, fields[2] == first { kill(process, number) }
        }
        kill(main, number)
    }

    func pause() { signal(SIGSTOP) }
    func resume() { signal(SIGCONT) }

    /// Ends all processes at once, as a power failure does. The data stays.
    func kill() {
        shell.withLock { shell in
            guard let process = shell?.process else { return }
            kill(process.processIdentifier, SIGKILL)
            signal(SIGKILL)
            process.waitUntilExit()
            shell = nil
            // Until the processes are reaped, these would say that the server runs.
            for name in ["/data/postmaster.pid", "/.s.PGSQL.5432.lock"] { unlink(directory + name) }
        }
    }

    func destroy() {
        kill()
        try? FileManager.default.removeItem(atPath: directory)
    }

    private func kill(_ process: pid_t, _ number: Int32) { _ = Glibc.kill(process, number) }
}
