// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Which logins are local, by the session that systemd-logind records. The records are files of these tests, and so
    /// are the audit session and the control group that /proc shows of the program.
    @Suite(.enabled(if: PrivateSystem.isPossible)) struct SessionTests {
        struct Row: Sendable, CustomTestStringConvertible {
            /// The sessions of the account, each with the fields that differ from a login at the console; nil for a machine
            /// without logind.
            var sessions: [String: String]? = [:]
            var group = "/system.slice/cron.service"
            var audit = "4294967295"
            var options = ""
            /// Why no PIN is accepted; nil if it is.
            var reason: String?
            var testDescription: String { "\(sessions ?? [:]) \(group) \(audit) \(options)" }
        }

        private static let scope = "/user.slice/user-63999.slice/session-c7.scope"
        private static let manager = "/user.slice/user-63999.slice/user@63999.service/app.slice/app-terminal.scope"
        private static let remote = "REMOTE=1 SERVICE=sshd"
        private static let nowhere = "session c7 is at no console or display here"
        private static let outside = "it belongs to no login session"

        private static let sudo = "setpriv --reuid=63999 --regid=65534 --clear-groups sudo echo GOT IN"

        private static let rows =
            [
                Row(sessions: nil),
                Row(sessions: nil, group: scope),
                Row(reason: outside),
                Row(options: "method=pin"),
                Row(options: "sudo_over_ssh=pin"),
                Row(sessions: ["c7": ""], group: scope),
                Row(sessions: ["c7": "TTY=ttyS0 SEAT="], group: scope),
                Row(sessions: ["c7": "TTY=console SEAT="], group: scope),
                Row(sessions: ["c7": "TTY=pts/3"], group: scope, reason: nowhere),
                Row(sessions: ["c7": "TTY=ttyp3"], group: scope, reason: nowhere),
                Row(sessions: ["c7": "TTY="], group: scope, reason: nowhere),
                // LightDM over VNC or XDMCP.
                Row(sessions: ["c7": "SERVICE=lightdm SEAT= TTY="], group: scope, reason: nowhere),
                // A container, whose sessions have the same names.
                Row(sessions: ["c7": ""], group: "/machine.slice/payload" + scope, reason: outside),
                Row(sessions: ["c7": ""], group: "/user.slice/user-63999.slice/x/session-c7.scope", reason: outside),
                // In a container, logind does not know the audit session.
                Row(sessions: ["c7": ""], group: scope, audit: "137"),
                Row(sessions: ["c7": remote], group: scope, audit: "137", reason: "session c7 came over ssh"),
                Row(
                    sessions: ["c7": "REMOTE=1 SERVICE=xrdp-sesman"], group: scope,
                    reason: "session c7 came over the network"),
                Row(sessions: ["5": ""], audit: "5"),
                Row(sessions: ["5": remote, "c7": ""], group: scope, audit: "5", reason: "session 5 came over ssh"),
                Row(sessions: ["5": "", "c7": remote], group: scope, audit: "5", reason: "session c7 came over ssh"),
                Row(sessions: ["c7": "REMOTE="], group: scope, reason: "session c7 came over the network"),
                Row(sessions: ["c7": "SERVICE="], group: scope, reason: "session c7 was started by an unknown program"),
                Row(sessions: ["c7": "CLASS=user-light"], group: scope),
                Row(sessions: ["c7": "CLASS=background"], group: scope, reason: outside),
                Row(sessions: ["c7": "CLASS=manager", "c8": ""], group: scope, reason: outside),
                // A terminal of a desktop runs below the user's service manager.
                Row(sessions: ["c7": ""], group: manager),
                Row(sessions: ["c7": "", "3": "CLASS=manager", "4": "CLASS=background"], group: manager, audit: "3"),
                Row(sessions: ["c7": "", "c8": remote], group: manager, reason: "session c8 came over ssh"),
                Row(
                    sessions: ["3": "CLASS=manager"], group: manager, audit: "3",
                    reason: "its user has no login session"),
                Row(sessions: ["c7": ""], group: "/user.slice/user-0.slice/user@0.service/x.scope", reason: outside),
                Row(sessions: ["c7": ""], group: "/user.slice/user-0.slice/user@.service", reason: outside),
                // Users choose the rest of the path.
                Row(
                    sessions: ["c7": remote, "c1": ""], group: manager + "/session-c1.scope",
                    reason: "session c7 came over ssh"),
                Row(
                    sessions: ["c7": remote, "c1": ""], group: manager + "/name=systemd:/session-c1.scope",
                    reason: "session c7 came over ssh"),
            ]
            + ["su", "su-l", "sudo", "sudo-i", "mpin-pin", "cockpit", "i3lock", "sshd", "vncserver", "gdm"].map {
                Row(sessions: ["c7": "SERVICE=\($0)"], group: scope, reason: "session c7 was started by \($0)")
            }
            + [
                "gdm-password", "gdm-autologin", "sddm", "sddm-autologin", "lightdm", "lightdm-autologin", "lxdm",
                "xdm",
                "greetd", "slim", "ly",
            ].map { Row(sessions: ["c7": "SERVICE=\($0)"], group: scope) }

        /// A command that writes the records of logind, and then becomes the program.
        private static func script(_ row: Row, _ program: String) -> String {
            var lines = ["mount -t tmpfs tmpfs /run"]
            if let sessions = row.sessions {
                lines.append("mkdir -p /run/systemd/seats /run/systemd/sessions /run/systemd/users")
                for (name, fields) in sessions {
                    var all = ["UID": "63999", "REMOTE": "0", "CLASS": "user", "SERVICE": "login"]
                    (all["TTY"], all["SEAT"]) = ("tty1", "seat0")
                    for field in fields.split(separator: " ") {
                        let parts = field.split(separator: "=", omittingEmptySubsequences: false)
                        all[String(parts[0])] = String(parts[1])
                    }
                    let text = all.map { "\($0)=\($1)" }.sorted().joined(separator: " ")
                    lines.append("printf '%s\\n' '# private' \(text) >/run/systemd/sessions/\(name)")
                }
                let names = sessions.keys.sorted().joined(separator: " ")
                lines.append("printf '%s\\n' STATE=active 'SESSIONS=\(names)' >/run/systemd/users/63999")
            }
            lines.append(
                "printf '9:pids:/\\n0::%s\\n' '\(row.group)' >/run/group && mount --bind /run/group /proc/$$/cgroup")
            lines.append("printf '%s' \(row.audit) >/run/audit && mount --bind /run/audit /proc/$$/sessionid")
            return (lines + ["exec " + program]).joined(separator: " && ")
        }

        private func expectPrompt(_ terminal: Terminal, unless reason: String?) {
            let text = reason.map { "M-Pin accepts no PIN here: \($0)." } ?? "PIN for mpintest on"
            #expect(terminal.shows(text), "\(terminal.screen)")
            #expect(terminal.screen.contains("PIN for") == (reason == nil), "\(terminal.screen)")
        }

        @Test(arguments: rows) func `sudo asks for the PIN in local sessions only, and says why`(row: Row) throws {
            let system = try PrivateSystem(stack: "auth required MODULE \(row.options)", method: "")
            let terminal = try system.root("/bin/sh", "-c", Self.script(row, Self.sudo))
            defer { terminal.signalAll(SIGKILL) }
            expectPrompt(terminal, unless: row.reason)
            guard row.reason == nil else { return }
            terminal.type("4962")
            #expect(terminal.shows("GOT IN"), "\(terminal.screen)")
        }

        /// A user at the console may start such a daemon by hand. It makes no sessions of its own.
        @Test(arguments: ["sshd", "bash"], [scope, manager])
        func `in a local session, what a server for remote logins has started is remote`(
            daemon: String, group: String
        ) throws {
            let system = try PrivateSystem(stack: "auth required MODULE", method: "")
            let directory = FileManager.default.temporaryDirectory.path + "/mpin-daemon-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: directory) }
            let script = Self.script(Row(sessions: ["c7": ""], group: group), Self.sudo)
            try Data(script.utf8).write(to: URL(fileURLWithPath: directory + "/script"))
            let terminal = try system.root(
                "/bin/sh", "-c",
                "cp /bin/sh \(directory)/\(daemon) && exec \(directory)/\(daemon) -c '/bin/sh \(directory)/script; exit 0'"
            )
            defer { terminal.signalAll(SIGKILL) }
            expectPrompt(terminal, unless: daemon == "bash" ? nil : "it was started by sshd")
        }

        /// On a machine without logind, the names of the ancestors decide.
        @Test(arguments: ["sshd", "sshd-session", "cron", "atd", "cockpit-bridge", "in.telnetd", "xrdp-sesman", "bash"])
        func `without logind, jobs and remote logins are remote`(daemon: String) throws {
            let system = try PrivateSystem(stack: "auth required MODULE", method: "")
            let terminal = try system.root(
                "/bin/sh", "-c",
                "mount -t tmpfs tmpfs /run && cp /bin/sh /run/\(daemon) && exec /run/\(daemon) -c '\(Self.sudo); exit 0'"
            )
            defer { terminal.signalAll(SIGKILL) }
            expectPrompt(terminal, unless: daemon == "bash" ? nil : "it was started by \(daemon)")
        }

        struct Service: Sendable, CustomTestStringConvertible {
            let name: String
            let asks: Bool
            var items: [String] = []
            var row = Row()
            var testDescription: String { "\(name) \(items) \(row.group) \(row.options)" }
        }

        private static let services = [
            Service(name: "login", asks: true, items: ["tty=/dev/tty1"]),
            Service(name: "login", asks: true, items: ["tty=ttyS0"]),
            Service(name: "login", asks: true, items: ["tty=console"]),
            Service(name: "login", asks: true, items: ["tty=hvc0"], row: Row(sessions: nil)),
            Service(name: "login", asks: false, items: ["tty=/dev/pts/3"]),
            Service(name: "login", asks: false, items: ["tty=ttyprintk"]),
            // JupyterHub and others use the service of login without a terminal.
            Service(name: "login", asks: false),
            Service(name: "login", asks: false, row: Row(sessions: nil)),
            Service(name: "login", asks: false, items: ["tty=tty1", "rhost=192.0.2.7"]),
            // At a login prompt, sessions of the account do not matter.
            Service(name: "login", asks: true, items: ["tty=tty1"], row: Row(sessions: ["c7": remote])),
            Service(name: "gdm-password", asks: true),
            // GNOME Remote Login.
            Service(name: "gdm-password", asks: false, items: ["rhost=0.0.0.0"]),
            // GNOME Remote Login through a tunnel.
            Service(name: "gdm-password", asks: false, items: ["rhost=127.0.0.1"]),
            Service(name: "lightdm", asks: true, items: ["tty=:0"]),
            Service(name: "lightdm", asks: false, items: ["tty=192.0.2.9:0"]),
            Service(name: "lightdm", asks: true),
            Service(name: "lightdm", asks: false, row: Row(options: "local_services=login")),
            Service(name: "sshd", asks: false),
            Service(name: "sshd", asks: false, row: Row(sessions: nil)),
            Service(name: "openvpn", asks: false),
            Service(name: "openvpn", asks: true, row: Row(options: "local_services=openvpn")),
            Service(name: "openvpn", asks: true, row: Row(options: "method=pin")),
            // A daemon that root restarted in a session of the console is still a daemon.
            Service(name: "openvpn", asks: false, row: Row(sessions: ["c7": ""], group: scope)),
            Service(name: "lightdm", asks: false, row: Row(sessions: ["c7": remote], group: scope)),
        ]

        /// Programs of root that ask for another account, with the session and the items that they have.
        @Test(arguments: services) func `programs that serve any user are local by their service`(service: Service)
            throws
        {
            let system = try PrivateSystem(stack: "auth required MODULE \(service.row.options)", method: "")
            let items = service.items.map { "-I \($0) " }.joined()
            let call = "pamtester \(items)\(service.name) mpintest authenticate"
            let terminal = try system.root("/bin/sh", "-c", Self.script(service.row, call))
            defer { terminal.signalAll(SIGKILL) }
            if service.asks {
                terminal.answer("PIN for mpintest on", "4962")
                #expect(terminal.shows("successfully authenticated"), "\(terminal.screen)")
            } else {
                #expect(terminal.shows("Authentication failure"), "\(terminal.screen)")
                #expect(!terminal.screen.contains("PIN for"), "\(terminal.screen)")
            }
        }
    }
}
