// SPDX-License-Identifier: Apache-2.0
import CMPinSystem
import Foundation
import Testing

extension EndToEnd {
    /// What the agent writes to the system's log.
    @Suite(.enabled(if: isRoot)) struct AgentLogTests {
        private let daemon = AgentMachine.daemon
        private let nobody = AgentMachine.nobody

        @Test func `logins, actions, refusals and floods are lines in the log`() throws {
            let system = try AgentMachine(startsAgent: false)
            let log = try system.startWithLog()
            #expect(try system.codes(as: daemon, pins: "4962") == ["PAM_SUCCESS"])
            let login = try #require(log.line())
            #expect(login.hasPrefix("user=daemon service=mpin ") && login.contains("result=OK "), "\(login)")
            // That user's program names the service, so the line marks it as claimed. Root's programs are trusted.
            #expect(login.hasSuffix(" claimed=service,rhost uid=1"), "\(login)")
            let root = try AgentConnection(system.socket)
            #expect(root.login(AgentConnection.request("daemon", realUID: 1), "4962").code == 0)
            let stated = try #require(log.line())
            #expect(stated.contains(" service=su ") && !stated.contains("claimed="), "\(stated)")

            #expect(try system.enroll(as: daemon, "status", "--check").status == 0)
            #expect(log.line() == "uid=1 user=daemon action=status")

            #expect(try system.codes(as: daemon, for: nobody, pins: "4962") == ["PAM_AUTH_ERR"])
            #expect(
                log.line()
                    == "uid=1 user=nobody result=REFUSED reason=\"it requests a login to another user's account\"")
            // What no account has for its name may be a password.
            let typo = try AgentConnection(system.socket)
            typo.send(AgentConnection.action(1, "correct-horse"))
            #expect(typo.receive() == nil)
            #expect(
                log.line()
                    == "uid=0 user=? result=REFUSED reason=\"it requests an action for another user's account\"")
            let nonsense = try AgentConnection(system.socket)
            nonsense.send([9, 9, 9])
            #expect(nonsense.receive() == nil)
            #expect(log.line() == "uid=0 user=? result=REFUSED reason=\"its request is malformed\"")

            let waiting = try AgentConnection(system.socket)
            waiting.send(AgentConnection.request("daemon", realUID: 1))
            #expect(waiting.receive() != nil)
            let names = system.workers.compactMap { try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8) }
            #expect(Set(names) == ["mpin-agent\n"])
            waiting.close()
            _ = log.line()

            let flood = try system.python(
                as: nobody.launcher,
                """
                import socket, sys
                held = []
                for _ in range(40):
                    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                    s.connect(sys.argv[1])
                    held.append(s)
                print("held", flush=True)
                sys.stdin.read()
                """)
            #expect(flood.line == "held")
            #expect(log.line() == "uid=65534 result=BUSY reason=\"too many connections at once\"")
            // One line for all of them: the next one is that of a login.
            #expect(try system.enroll(as: daemon, "status", "--check").status == 0)
            #expect(log.line() == "uid=1 user=daemon action=status")
            _ = flood.end()
        }

        @Test func `refused requests of one user are a few lines, and one line with their number`() throws {
            let system = try AgentMachine(startsAgent: false)
            let log = try system.startWithLog()
            let flood = try system.python(
                as: nobody.launcher,
                """
                import socket, sys, time
                for _ in range(60):
                    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                    s.connect(sys.argv[1])
                    s.send(b"\\t\\t\\t")
                    s.recv(4096)
                    s.close()
                    time.sleep(0.02)
                print("sent", flush=True)
                sys.stdin.read()
                """)
            #expect(flood.line == "sent")
            _ = flood.end()
            // The lines of other users go on.
            #expect(try system.enroll(as: daemon, "status", "--check").status == 0)
            let other = try AgentConnection(system.socket)
            other.send([9, 9, 9])
            #expect(other.receive() == nil)
            var lines: [String] = []
            while lines.last?.hasPrefix("uid=0 ") != true, let line = log.line() { lines.append(line) }
            #expect(lines.suffix(2).first == "uid=1 user=daemon action=status", "\(lines)")
            let written = lines.count { $0.hasPrefix("uid=65534 ") }
            // Requests that come at the same time may each get a line.
            #expect(5...8 ~= written, "\(lines)")
            system.end()
            let count = "uid=65534 result=REFUSED reason=\"more refused requests within a minute: \(60 - written)\""
            #expect(log.line() == count)
        }
    }
}
