// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// polkit: the real one, and its helper in a sandbox as polkit has it from version 127 on.
    @Suite(.enabled(if: PrivateSystem.isPossible)) struct PolkitTests {
        private let daemon = AgentMachine.daemon
        private static let polkitd = "/usr/lib/polkit-1/polkitd"

        private static let hasPolkit: Bool = {
            let programs = [polkitd, "/usr/bin/dbus-daemon", "/usr/bin/pkcheck", "/usr/bin/pkttyagent"]
            let missing = programs.filter { access($0, X_OK) != 0 }
            if !missing.isEmpty { print("note: \(missing.joined(separator: ", ")) is missing; polkit is left out") }
            return missing.isEmpty
        }()

        /// A bus, polkit, and a user at a terminal whose own program asks for authorization.
        private static let script = """
            set -e
            mkdir -p /etc/mpin /etc/polkit-1/rules.d
            for place in etc/mpin etc/pam.d etc/polkit-1/rules.d; do mount --bind "$1/polkit/$place" "/$place"; done
            mount -t tmpfs tmpfs /run
            mkdir /run/dbus
            dbus-daemon --system --nofork --nopidfile >/dev/null 2>&1 &
            until [ -S /run/dbus/system_bus_socket ]; do sleep 0.1; done
            \(polkitd) >/dev/null 2>&1 &
            until dbus-send --system --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner \\
                string:org.freedesktop.PolicyKit1 2>/dev/null | grep -q true; do sleep 0.1; done
            own="setpriv --reuid=$2 --regid=$2 --clear-groups"
            $own sleep 300 &
            subject=$!
            until [ "$(stat -c %u /proc/$subject)" = "$2" ]; do sleep 0.1; done
            mkfifo /run/registered
            $own pkttyagent --process $subject --notify-fd 9 9>/run/registered &
            cat /run/registered
            status=0
            $own pkcheck --action-id org.freedesktop.policykit.exec --process $subject --allow-user-interaction || status=$?
            echo "RESULT $status"
            """

        /// A machine on which an administrator, daemon, has a PIN, and polkit needs nothing else.
        private func system() throws -> AgentMachine {
            let system = try AgentMachine(startsAgent: false)
            for name in ["", "/etc", "/etc/mpin", "/etc/pam.d", "/etc/polkit-1", "/etc/polkit-1/rules.d"] {
                try #require(mkdir(system.machine.directory + "/polkit" + name, 0o755) == 0)
            }
            try system.publish(
                "server = unix:\(system.machine.socket)\nstore = \(system.machine.store)\nserver_user = root\nmethod = pin\n",
                "/polkit/etc/mpin/mpin.conf")
            try system.publish(
                "auth required \(Products.module)\naccount required pam_permit.so\nsession required pam_permit.so\n",
                "/polkit/etc/pam.d/polkit-1")
            try system.publish(
                "polkit.addAdminRule(function(action, subject) { return [\"unix-user:daemon\"]; });\n",
                "/polkit/etc/polkit-1/rules.d/10-own.rules")
            return system
        }

        private func ask(_ system: AgentMachine, as user: UInt32) throws -> Terminal {
            try Terminal(
                "/usr/bin/unshare",
                [
                    "-m", "--propagation", "private", "-p", "--fork", "--kill-child", "--mount-proc", "/bin/sh", "-c",
                    Self.script, "sh", system.machine.directory, "\(user)",
                ])
        }

        @Test(.enabled(if: hasPolkit)) func `polkit authorizes with the PIN alone`() throws {
            let system = try system()
            for (pin, result) in [("4963", "RESULT 1"), ("4962", "RESULT 0")] {
                let terminal = try ask(system, as: daemon.uid)
                defer { terminal.signalAll(SIGKILL) }
                terminal.answer("PIN for daemon on ", pin)
                #expect(terminal.shows(result), "\(terminal.screen)")
                #expect(!terminal.screen.contains(pin))
                #expect(try system.machine.counted() == (pin == daemon.pin ? 0 : 1))
            }
        }

        /// polkit's set-uid helper, started by a user for the administrator.
        @Test(.enabled(if: hasPolkit))
        func `the PIN of another administrator is not asked for`() throws {
            let system = try system()
            let terminal = try ask(system, as: 2)
            defer { terminal.signalAll(SIGKILL) }
            #expect(terminal.shows("RESULT 1"), "\(terminal.screen)")
            #expect(!terminal.screen.contains("PIN for"), "\(terminal.screen)")
            #expect(try system.machine.counted() == 0)
        }

        /// Callers of the socket of polkit's helper: real and effective user, and whether the helper asks for the PIN.
        struct Peer: Sendable {
            let real: Int
            let effective: Int
            let isAsked: Bool
        }

        private static let peers = [
            Peer(real: 1, effective: 1, isAsked: true),
            Peer(real: 2, effective: 2, isAsked: false),
            // pkexec, started by the administrator and by another user.
            Peer(real: 1, effective: 0, isAsked: true),
            Peer(real: 2, effective: 0, isAsked: false),
            Peer(real: 0, effective: 0, isAsked: true),
            // A set-uid program of the administrator's.
            Peer(real: 2, effective: 1, isAsked: false),
        ]

        /// The helper as polkit has it from version 127 on: root's, with the socket of the user's agent for its standard
        /// input. Prints the helper's output.
        private static let activated = """
            import os, socket, subprocess, sys, time
            path, real, effective = sys.argv[1] + "/helper.sock", int(sys.argv[2]), int(sys.argv[3])
            if os.path.exists(path): os.unlink(path)
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(path)
            os.chmod(path, 0o666)
            listener.listen(1)
            child = os.fork()
            if child == 0:
                os.setresuid(real, effective, 0)
                peer = socket.socket(socket.AF_UNIX)
                peer.connect(path)
                peer.sendall(b"cookie\\n")
                peer.settimeout(120)
                said = b""
                while b"PIN for" not in said and b"FAILURE" not in said:
                    more = peer.recv(4096)
                    if not more: break
                    said += more
                os.write(1, b"ASKED\\n" if b"PIN for" in said else b"REFUSED\\n")
                os._exit(0)
            connection = listener.accept()[0]
            helper = subprocess.Popen(["/usr/lib/polkit-1/polkit-agent-helper-1", "daemon"], stdin=connection,
                stdout=connection, stderr=subprocess.DEVNULL)
            connection.close()
            os.waitpid(child, 0)
            helper.kill()
            """

        @Test(.enabled(if: hasPolkit), arguments: peers)
        func `the helper behind a socket asks its real user alone`(peer: Peer) throws {
            let system = try system()
            let places = ["/etc/mpin", "/etc/pam.d"].map {
                (name: $0, by: system.machine.directory + "/polkit" + $0)
            }
            let run = try Run(
                Launcher.covering(places) + [
                    "/usr/bin/python3", "-c", Self.activated, system.machine.directory, "\(peer.real)",
                    "\(peer.effective)",
                ])
            #expect(run.lines.first == (peer.isAsked ? "ASKED" : "REFUSED"), "\(peer): \(run.all)")
        }

        /// Runs a program with a socket for its standard input, to which daemon has connected.
        private static let behindSocket = """
            import os, socket, sys
            listener = socket.socket(socket.AF_UNIX)
            listener.bind("")
            listener.listen(1)
            peer = os.fork()
            if peer == 0:
                os.setresuid(1, 1, 1)
                connection = socket.socket(socket.AF_UNIX)
                connection.connect(listener.getsockname())
                listener.close()
                connection.recv(1)
                os._exit(0)
            accepted = listener.accept()[0]
            os.dup2(accepted.fileno(), 0)
            os.execv(sys.argv[1], sys.argv[1:])
            """

        /// Runs a program that gets no socket but local ones, as RestrictAddressFamilies=AF_UNIX of systemd does it.
        private static let sandbox = """
            import ctypes, os, platform, struct, sys
            number = {"x86_64": 41, "aarch64": 198}[platform.machine()]
            code = [(0x20, 0, 0, 0), (0x15, 0, 3, number), (0x20, 0, 0, 16), (0x15, 1, 0, 1),
                (0x06, 0, 0, 0x00050000 | 97), (0x06, 0, 0, 0x7fff0000)]
            program = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in code))
            class Filter(ctypes.Structure):
                _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]
            prctl = ctypes.CDLL(None).prctl
            filter = Filter(len(code), ctypes.cast(program, ctypes.c_void_p))
            assert prctl(38, 1, 0, 0, 0) == 0 and prctl(22, 2, ctypes.byref(filter), 0, 0) == 0
            os.execv(sys.argv[1], sys.argv[1:])
            """

        @Test func `a helper that a sandbox keeps from the network asks the agent`() throws {
            let system = try AgentMachine(startsAgent: false)
            let peer = try TLSTests.Peer(system.machine, name: "good")
            try system.machine.register(at: peer, identity: "carol", account: "daemon")
            let settings =
                "server = \(peer.url)\nca_file = \(peer.certificate)\nstore = \(system.machine.store)\nmethod = pin\n"
            try system.publish(settings, "/agent.conf")
            try system.publish(settings + "agent = \(system.socket)\n", "/polkit.conf")
            let conf = system.machine.directory + "/polkit.conf"
            try system.machine.service("polkit-1", "\(Products.module) method=pin conf=\(conf)")
            func codes(_ pin: String, by launcher: [String]) throws -> [String] {
                try system.machine.probe("try", pins: [pin], service: "polkit-1", user: "daemon", by: launcher).lines
            }
            let behindSocket = ["/usr/bin/python3", "-c", Self.behindSocket]
            let confined = behindSocket + ["/usr/bin/python3", "-c", Self.sandbox]
            // If polkit's caller is unknown, there is no PIN.
            #expect(try codes("4962", by: []) == ["PAM_AUTH_ERR"])
            // No failure is reported after which a stack could continue.
            #expect(try codes("4962", by: confined) == ["PAM_AUTH_ERR"])
            #expect(try codes("4962", by: behindSocket) == ["PAM_SUCCESS"])
            try system.start()
            #expect(try codes("4963", by: confined) == ["PAM_AUTH_ERR"])
            #expect(try system.machine.counted("carol") == 1)
            #expect(try codes("4962", by: confined) == ["PAM_SUCCESS"])
            #expect(try system.machine.counted("carol") == 0)
        }
    }
}
