// SPDX-License-Identifier: Apache-2.0
import CMPinSystem
import Foundation
import Testing

extension EndToEnd {
    /// Programs that attack the agent, false agents, and agents that die.
    @Suite(.enabled(if: isRoot)) struct AgentAttackTests {
        private let daemon = AgentMachine.daemon

        /// Invalid requests.
        private static func malformed() -> [[UInt8]] {
            let good = AgentConnection.request("daemon", realUID: 1)
            return [
                [], [UInt8(MPIN_AGENT_REQUEST)], Array(good.prefix(good.count / 2)), Array(good.dropLast()), good + [0],
                AgentConnection.request("", realUID: 1), AgentConnection.request("dae\0mon", realUID: 1),
                good + [UInt8](repeating: 0x61, count: 100_000),
                [UInt8](repeating: UInt8(MPIN_AGENT_REQUEST), count: 100_000),
                [UInt8(MPIN_AGENT_ANSWER), 0] + "4962".utf8,
                [UInt8](repeating: 0xFF, count: 2048),
            ]
        }

        @Test func `requests that make no sense end without a word`() throws {
            let system = try AgentMachine()
            for bytes in Self.malformed() {
                let connection = try AgentConnection(system.socket)
                connection.send(bytes)
                #expect(connection.receive() == nil, "\(bytes.prefix(40))")
            }
            #expect(system.isRunning)
            #expect(try system.codes(as: daemon, pins: "4962") == ["PAM_SUCCESS"])
        }

        @Test func `an answer without a question ends the call`() throws {
            let system = try AgentMachine(settings: "tries = 2\n")
            let connection = try AgentConnection(system.socket)
            connection.send(AgentConnection.request("daemon", realUID: 1))
            #expect(connection.receive()?.kind == MPIN_AGENT_PROMPT)
            // The second one is there before it is known that the first is wrong.
            system.machine.pause()
            connection.answer("4963")
            connection.answer("4962")
            system.machine.resume()
            var code: UInt8?
            while let message = connection.receive() {
                #expect(message.kind != MPIN_AGENT_PROMPT)
                if message.kind == MPIN_AGENT_RESULT { code = message.bytes[0] }
            }
            // The connection may end before the result is read: the agent leaves the second answer unread.
            #expect(code == nil || code == 19, "neither PAM_CONV_ERR nor the end")
            #expect(try system.machine.counted() == 1)
        }

        @Test func `a client that dies frees its place`() throws {
            let system = try AgentMachine()
            for _ in 1...80 {
                let connection = try AgentConnection(system.socket)
                connection.send(AgentConnection.request("daemon", realUID: 1))
                #expect(connection.receive()?.kind == MPIN_AGENT_PROMPT)
                connection.close()
            }
            #expect(try system.codes(as: daemon, pins: "4962") == ["PAM_SUCCESS"])
        }

        @Test func `another user's program is not accepted as agent`() throws {
            let system = try AgentMachine(startsAgent: false)
            // The kernel names the user at the time of listen().
            let program = """
                import os, socket, sys
                s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                s.bind(sys.argv[1])
                os.chmod(sys.argv[1], 0o666)
                os.setuid(65534)
                s.listen(5)
                print("ready", flush=True)
                sys.stdin.read()
                s.settimeout(0)
                try: peer = s.accept()[0]
                except BlockingIOError: sys.exit(print("no connection"))
                print("received", len(peer.recv(4096)))
                """
            let impostor = try system.python(as: ["/usr/bin/env"], program)
            #expect(impostor.line == "ready")
            let run = try system.probe("handle", as: daemon, pins: ["4962"])
            #expect(run.lines == [String](repeating: "PAM_SYSTEM_ERR", count: 3), "\(run.all)")
            #expect(impostor.end() == "received 0")
            // A socket at a path that others can change is not accepted either.
            #expect(unlink(system.socket) == 0 && chown(system.machine.directory + "/agent", 65_534, 65_534) == 0)
            let second = try system.python(as: ["/usr/bin/env"], program)
            let other = try system.probe("handle", as: daemon, pins: ["4962"])
            #expect(other.lines == [String](repeating: "PAM_AUTHINFO_UNAVAIL", count: 3), "\(other.all)")
            #expect(second.end() == "no connection")
            let refused = try Run(Products.agent, ["--listen", "unix:" + system.socket])
            #expect(
                refused.status == 73 && refused.errors.contains("users other than root can change"),
                "\(refused.all)")
        }

        @Test func `a program of another version is refused by name`() throws {
            let system = try AgentMachine()
            for bytes in [
                AgentConnection.request("daemon", realUID: 1, version: 9),
                AgentConnection.action(1, "daemon", version: MPIN_AGENT_VERSION + 1),
                // What the module and mpin-enroll of the first version sent.
                AgentConnection.request("daemon", realUID: 1, version: 1), [6, 1, 1, 0] + Array("daemon\0\0\0".utf8),
            ] {
                let connection = try AgentConnection(system.socket)
                connection.send(bytes)
                let answer = try #require(connection.receive())
                #expect(answer.kind == MPIN_AGENT_ERROR && answer.text.contains("have different versions"), "\(answer)")
                #expect(answer.text.contains("sudo systemctl restart mpin-agent.socket"))
                #expect(connection.receive() == nil)
            }
        }

        @Test(arguments: [
            (answer: "b\"\\\\x00half a report\"", status: 76, text: "mpin-agent sent an invalid answer."),
            (
                answer: "bytes([\(MPIN_AGENT_DONE)]) + b\"1\\\\0\"", status: 76,
                text: "mpin-agent sent an invalid answer."
            ),
            (answer: "bytes([\(MPIN_AGENT_NOT_DONE)]) + b\"999\\\\0\"", status: 76, text: "sent an invalid answer."),
            (answer: "bytes([\(MPIN_AGENT_ERROR)]) + b\"Too late.\"", status: 75, text: "Too late."),
            (answer: "b\"\"", status: 75, text: "It may have another version than mpin-enroll."),
        ])
        func `an agent of another version is named`(_ agent: (answer: String, status: Int32, text: String)) throws {
            let system = try AgentMachine(startsAgent: false)
            let program = """
                import os, socket, sys
                s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                s.bind(sys.argv[1])
                os.chmod(sys.argv[1], 0o666)
                s.listen(5)
                print("ready", flush=True)
                s.settimeout(120)
                peer = s.accept()[0]
                peer.recv(4096)
                answer = \(agent.answer)
                if answer: peer.send(answer)
                peer.close()
                sys.stdin.read()
                """
            let other = try system.python(as: ["/usr/bin/env"], program)
            #expect(other.line == "ready")
            let run = try system.enroll(as: daemon, "devices", pin: "4962")
            #expect(run.status == agent.status && run.errors.contains(agent.text), "\(run.all)")
            _ = other.end()
        }

        @Test func `a caller of an action that dies or lies at a question changes nothing`() throws {
            let system = try AgentMachine()
            let code = try system.machine.invitation(for: "bin")
            let asked = try system.python(
                as: daemon.launcher,
                AgentMachine.actions + """
                    def steps(action, *answers, **more):
                        s = connect()
                        s.send(message(action, "daemon", **more))
                        kinds = [receive(s)[:1]]
                        for secret in answers:
                            if isinstance(secret, bytes): s.send(secret)
                            else: answer(s, secret)
                            kinds.append(receive(s)[:1])
                        return b"".join(kinds).hex()
                    print(" ".join([
                        # It dies at each step, or sends another message than an answer.
                        steps(4), steps(4, ""), steps(4, b"x"), steps(4, bytes([\(MPIN_AGENT_ANSWER), 9, 49])),
                        steps(4, bytes([\(MPIN_AGENT_ANSWER), 0]) + b"4" * 200), steps(4, "4962"), steps(4, "4962", ""),
                        # A weak PIN, which the caller did not check, and the current one.
                        steps(4, "4962", "1234"), steps(4, "4962", "4962"),
                        # An enrolled account does not enroll again, with another identity either.
                        steps(5, purpose="register"), steps(5, purpose="register", identity="bin"),
                        # A code that is none, and no code.
                        steps(5, "123456", purpose="recover"), steps(5, "", purpose="recover"),
                        # Another identity's code, with a weak and with a good PIN.
                        steps(5, "\(code)", "1111", purpose="recover"), steps(5, "\(code)", "7351", purpose="recover"),
                    ]), flush=True)
                    """)
            let question = hex(MPIN_AGENT_QUESTION), refused = hex(MPIN_AGENT_NOT_DONE)
            let one = question + refused, two = question + question + refused
            #expect(
                asked.line
                    == [
                        question, one, one, one, one, question + question, two, two, two, refused, refused, one, one,
                        two, two,
                    ].joined(separator: " "))
            _ = asked.end()
            #expect(try system.enroll(as: daemon, "test", pin: "4962").status == 0)
            #expect(try system.machine.counted() == 0)
            #expect(try system.machine.deviceStates() == ["REGISTERED"])
        }

        private func hex(_ kind: Int) -> String { String(kind + 0x100, radix: 16).suffix(2).description }

        @Test func `what is signed is the session that was shown`() throws {
            let system = try AgentMachine()
            let browser = try WaitingBrowser(at: system.machine)
            let asked = try system.python(
                as: daemon.launcher,
                AgentMachine.actions + """
                    s = connect()
                    s.send(message(3, "daemon", purpose="approve", argument="\(browser.number)"))
                    print(receive(s)[0], flush=True)
                    sys.stdin.readline()
                    answer(s, "4962")
                    print(receive(s)[0], flush=True)
                    """)
            #expect(asked.line == "\(MPIN_AGENT_QUESTION)")
            // The session that was shown is gone before the PIN is there.
            #expect(try system.enroll(as: daemon, "deny", browser.number).status == 0)
            let wrong = try system.machine.counted()
            #expect(asked.end() == "\(MPIN_AGENT_NOT_DONE)")
            #expect(try system.machine.counted() == wrong)
            #expect(try browser.poll()["status"] as? String != "authenticate")
        }

        @Test func `a set-user-ID host's statement about its caller decides what that caller learns`() throws {
            let system = try AgentMachine()
            let owner = AgentConnection.request("daemon", realUID: 0, startingUID: 1, controls: true)
            let known = try AgentConnection(system.socket).login(owner, "4963")
            #expect(known.told == ["Wrong PIN, 2 tries left."] && known.code == 7, "\(known)")
            let greeter = AgentConnection.request("daemon", realUID: 0)
            let stranger = try AgentConnection(system.socket).login(greeter, "4963")
            #expect(stranger.prompts.count == 1 && stranger.told.isEmpty && stranger.code == 7, "\(stranger)")
            // An account that is not enrolled looks the same.
            let none = try AgentConnection(system.socket).login(AgentConnection.request("bin", realUID: 0), "4963")
            #expect(none.prompts.count == 1 && none.told.isEmpty && none.code == 7, "\(none)")
        }

        @Test func `an agent that is killed in a login leaves the store whole`() throws {
            let system = try AgentMachine()
            system.machine.pause()
            let login = try Background(
                daemon.launcher + [
                    Probe.program, "try", system.machine.directory + "/pam.d", "mpin", "daemon", pinFile(system),
                ])
            // The worker has sent the login, and waits for the server.
            #expect(system.waitForWorker())
            system.kill()
            let lines = login.end()
            #expect(lines == "PAM_SYSTEM_ERR", "\(lines)")
            system.machine.resume()
            try system.start()
            #expect(try system.codes(as: daemon, pins: "4962") == ["PAM_SUCCESS"])
            let names = try FileManager.default.contentsOfDirectory(atPath: system.machine.store + "/users")
            #expect(!names.contains { $0.contains(".bad") }, "\(names)")
        }

        private func pinFile(_ system: AgentMachine) throws -> String {
            let file = try system.machine.pinFile("4962")
            try #require(chmod(file, 0o644) == 0)
            return file
        }
    }
}

extension AgentMachine {
    /// Waits until the agent has started a worker that has asked the server: one that holds a second socket.
    func waitForWorker() -> Bool {
        becomes {
            workers.contains { worker in
                let folder = "/proc/\(worker)/fd"
                let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                let targets = names.compactMap {
                    try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
                }
                return targets.count { $0.hasPrefix("socket:") } > 1
            }
        }
    }
}
