// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Processes outside any login session, as at(1), cron and the service managers of users start them.
    @Suite(.enabled(if: PrivateSystem.isPossible)) struct SessionTests {
        struct Row: Sendable, CustomTestStringConvertible {
            let sessions: [String]
            let asks: Bool
            var options = ""
            var command = "setpriv --reuid=63999 --regid=65534 --clear-groups sudo echo GOT IN"
            var testDescription: String { "\(sessions) \(options) \(command.prefix(5))" }
        }

        private static let remote = "REMOTE=1 CLASS=user"
        private static let local = "REMOTE=0 CLASS=user"

        private static let rows = [
            // Without logind, and for a user without sessions, nothing is known.
            Row(sessions: [], asks: true),
            Row(sessions: [], asks: false, options: "undetermined=remote"),
            Row(sessions: [remote], asks: false),
            Row(sessions: [remote, remote], asks: false),
            Row(sessions: [remote], asks: true, options: "sudo_over_ssh=pin"),
            Row(sessions: [local], asks: true),
            Row(sessions: [remote, local], asks: true),
            // What runs without the person is not where the person is.
            Row(sessions: ["REMOTE=0 CLASS=manager", remote], asks: false),
            Row(sessions: ["REMOTE=0 CLASS=background", remote], asks: false),
            // At the console the account's sessions elsewhere do not matter.
            Row(sessions: [remote], asks: true, command: "login mpintest"),
        ]

        @Test(arguments: rows)
        func `a process outside sessions is where its user is`(row: Row) throws {
            let system = try PrivateSystem(stack: "auth required MODULE \(row.options)")
            let place = "/run/systemd/sessions"
            var lines = ["mount -t tmpfs tmpfs /run", "mkdir -p \(place) /run/systemd/users"]
            let names = row.sessions.indices.map { "c\($0 + 1)" }
            for (name, session) in zip(names, row.sessions) {
                lines.append("printf '%s\\n' '# private' UID=63999 \(session) >\(place)/\(name)")
            }
            if !names.isEmpty {
                lines.append(
                    "printf '%s\\n' STATE=active 'SESSIONS=\(names.joined(separator: " "))' >/run/systemd/users/63999")
            }
            let script = (lines + ["exec " + row.command]).joined(separator: " && ")
            let terminal = try system.root("/bin/sh", "-c", script)
            #expect(terminal.shows("PIN for mpintest on", seconds: row.asks ? 10 : 4) == row.asks, "\(terminal.screen)")
            if row.asks && row.command.contains("sudo") {
                terminal.type("4962")
                #expect(terminal.shows("GOT IN"), "\(terminal.screen)")
            }
            #expect(row.asks || !terminal.screen.contains("GOT IN"), "\(terminal.screen)")
            terminal.signalAll(SIGKILL)
        }
    }
}
