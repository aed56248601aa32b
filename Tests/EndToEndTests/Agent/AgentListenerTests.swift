// SPDX-License-Identifier: Apache-2.0
import CMPinSystem
import Foundation
import Testing

extension EndToEnd {
    /// The agent's listener: who has room, what it was started with, and what it is sent before it knows who asks.
    @Suite(.enabled(if: isRoot)) struct AgentListenerTests {
        private let daemon = AgentMachine.daemon
        private let nobody = AgentMachine.nobody

        @Test func `a flood of one user keeps out that user alone`() throws {
            let system = try AgentMachine()
            let flood = try system.python(
                as: nobody.launcher,
                """
                import socket, struct, sys
                request = struct.pack("=BBBBIqBB6x", 4, \(MPIN_AGENT_VERSION), 0, 0, 65534, -1, 2, 0) + b"nobody\\0swaylock\\0\\0\\0"
                def connect():
                    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                    s.settimeout(120)
                    s.connect(sys.argv[1])
                    try: s.send(request)
                    except OSError: pass
                    return s
                def is_asked(s):
                    try: return s.recv(4096)[:1] == b"\\2"
                    except OSError: return False
                held = [connect() for _ in range(500)]
                print(sum(is_asked(s) for s in held), flush=True)
                sys.stdin.read()
                """)
            #expect(flood.line == "4")
            // Its own user gets the message about too many logins, and no result that a stack may skip.
            let own = try system.probe("handle", as: nobody, pins: [nobody.pin])
            #expect(own.output.contains("Too many M-Pin logins") && own.output.contains("PAM_SYSTEM_ERR"), "\(own.all)")
            #expect(try system.codes(as: daemon, pins: "4962") == ["PAM_SUCCESS"])
            let root = try AgentConnection(system.socket)
                .login(AgentConnection.request("daemon", service: "login", realUID: 0), "4962")
            #expect(root.code == 0, "\(root)")
            _ = flood.end()
            var codes: [String] = []
            for _ in 1...30 where codes != ["PAM_SUCCESS"] { codes = try system.codes(as: nobody, pins: nobody.pin) }
            #expect(codes == ["PAM_SUCCESS"])
        }

        @Test func `descriptors that a client sends along delay no login`() throws {
            let system = try AgentMachine()
            // Their data arrives before the agent checks their identity.
            system.pause()
            // To close the last descriptor of such a socket takes as long as SO_LINGER allows: its queue never empties.
            let attack = try system.python(
                as: nobody.launcher,
                """
                import array, socket, struct, sys
                sink = socket.create_server(("127.0.0.1", 0))
                held = []
                def lingering():
                    s = socket.socket()
                    s.connect(sink.getsockname())
                    held.append(sink.accept()[0])
                    s.setblocking(False)
                    try:
                        while True: s.send(bytes(65536))
                    except BlockingIOError: pass
                    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 30000))
                    return s
                def attack():
                    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                    s.connect(sys.argv[1])
                    victim = lingering()
                    try:
                        s.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [victim.fileno()]))])
                    except PermissionError:
                        # Linux 6.16 does not even take it.
                        victim.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 0, 0))
                    victim.close()
                    return s
                sent = [attack() for _ in range(40)]
                print(len(sent), flush=True)
                sys.stdin.read()
                """)
            #expect(attack.line == "40")
            system.resume()
            // To close them in the listener would take minutes.
            let codes = try system.codes(as: daemon, pins: "4962")
            #expect(codes == ["PAM_SUCCESS"])
            _ = attack.end()
        }

        @Test func `an agent that was started with SIGCHLD ignored counts its workers all the same`() throws {
            let system = try AgentMachine(startsAgent: false)
            try system.start(by: ["/usr/bin/env", "--ignore-signal=CHLD"])
            for _ in 1...6 { #expect(try system.codes(as: daemon, pins: "4962") == ["PAM_SUCCESS"]) }
        }

        @Test func `the containers of all users are one user`() throws {
            let system = try AgentMachine(startsAgent: false)
            let place = system.machine.directory + "/etc-of-agent"
            try #require(mkdir(place, 0o755) == 0)
            try #require(Run("/bin/cp", ["/etc/passwd", "/etc/group", "/etc/nsswitch.conf", place]).status == 0)
            try system.publish("somebody:200000:65536\n", "/etc-of-agent/subuid")
            try system.start(by: Launcher.covering([("/etc", place)]))
            let flood = try system.python(
                as: ["/usr/bin/env"],
                """
                import os, select, socket, sys, time
                def connect(user):
                    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                    os.seteuid(user)
                    s.connect(sys.argv[1])
                    os.seteuid(0)
                    return s
                held = [connect(200000 + i) for i in range(6)]
                refused, end = set(), time.monotonic() + 120
                # Two are, and then no other.
                while time.monotonic() < end:
                    ready = select.select([s for s in held if s not in refused], [], [], 2 if len(refused) > 1 else 120)[0]
                    if not ready: break
                    refused.update(s for s in ready if s.recv(4096)[:1] == b"\\1")
                print(len(refused), flush=True)
                sys.stdin.read()
                """)
            #expect(flood.line == "2")
            #expect(try system.codes(as: daemon, pins: "4962") == ["PAM_SUCCESS"])
            _ = flood.end()
        }

        @Test func `no worker keeps the environment of its agent`() throws {
            let system = try AgentMachine(startsAgent: false)
            try system.start(by: ["/bin/sh", "-c", "exec 9</etc/hostname && exec \"$@\"", "sh"])
            let connection = try AgentConnection(system.socket)
            connection.send(AgentConnection.request("daemon", realUID: 1))
            #expect(connection.receive()?.kind == MPIN_AGENT_PROMPT)
            let worker = try #require(system.workers.first)
            let folder = "/proc/\(worker)/fd"
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.contains("3") && !names.contains("9"), "\(names)")
        }
    }
}
