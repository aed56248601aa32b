// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// A user at a terminal who interrupts the program.
    @Suite struct InterruptionTests {
        /// A machine with an enrolled account, and a socket instead of its server that does not answer for a while.
        private func silentMachine() throws -> (Machine, LoopbackServer) {
            let machine = try Machine.enrolled()
            machine.kill()
            try FileManager.default.removeItem(atPath: machine.socket)
            let silent = try LoopbackServer(directory: machine.directory) { _ in Answer(status: 500, delay: 40) }
            return (machine, silent)
        }

        @Test func `Control-C ends a program at once that waits for a silent server`() throws {
            let (machine, silent) = try silentMachine()
            defer { silent.stop() }
            let terminal = try Terminal(Products.enroll, machine.call("test", "--timeout", "30"))
            terminal.answer("PIN for alice", "4962")
            #expect(terminal.shows("Waiting for unix:\(machine.socket) ..."), "\(terminal.screen)")
            let interrupted = ContinuousClock.now
            terminal.control("c")
            #expect(terminal.end() == 130, "\(terminal.screen)")
            // The server answers after 40 seconds.
            #expect(ContinuousClock.now - interrupted < .seconds(15))
            #expect(terminal.screen.contains("Interrupted."), "\(terminal.screen)")
            #expect(terminal.screen.components(separatedBy: "Waiting for").count == 2, "\(terminal.screen)")
        }

        @Test func `an interrupted program reports that in an object`() throws {
            let (machine, silent) = try silentMachine()
            defer { silent.stop() }
            let call = machine.call("test", "--timeout", "30", "--json", "--pin-file", try machine.pinFile("4962"))
            try machine.write("", to: "/errors")
            let waiting = try Background(
                Launcher.redirecting("2>\(machine.directory)/errors") + [Products.enroll] + call)
            becomes { silent.connections > 0 }
            // The tests may run in the background of a shell, which ignores SIGINT there.
            waiting.send(SIGTERM)
            let run = Run(status: waiting.status(), output: waiting.end())
            let errors = try String(contentsOfFile: machine.directory + "/errors", encoding: .utf8)
            #expect(run.errorCode == "CANCELED", "\(run.all)")
            // No notice is printed where standard error is not a terminal.
            #expect(errors.isEmpty, "\(errors)")
        }

        @Test func `a quick server is not announced`() throws {
            let machine = try Machine.enrolled()
            // On a busy machine a server may be slow. One quick answer of eight is enough.
            var isAnnounced = true
            for _ in 1...8 where isAnnounced {
                let terminal = try Terminal(Products.enroll, machine.call("test"))
                terminal.answer("PIN for alice", "4962")
                #expect(terminal.end() == 0)
                isAnnounced = terminal.screen.contains("Waiting for")
            }
            #expect(!isAnnounced)
        }

        @Test func `control z at a hidden prompt stops and comes back`() throws {
            let machine = try Machine.enrolled()
            // A shell that does not restore the terminal after its jobs.
            let shell = try Terminal("/bin/dash", ["-i"])
            shell.type("PS1='ready> '")
            shell.answer("ready> ", ([Products.enroll] + machine.call("test")).joined(separator: " "))
            #expect(shell.shows("PIN for alice: "), "\(shell.screen)")
            shell.type("49", enter: false)
            shell.control("z")
            #expect(shell.shows("Stopped"), "\(shell.screen)")
            shell.answer("ready> ", "stty -a | tr ' ;' '\\n\\n' | grep -c -x -e echo -e icanon")
            shell.answer("\n2\n", "fg")
            // The prompt starts again, without echo.
            shell.answer("PIN for alice: ", "4962")
            #expect(shell.shows("accepted the PIN"), "\(shell.screen)")
            #expect(!shell.screen.contains("4962"), "\(shell.screen)")
            #expect(try machine.counted() == 0)
            shell.type("exit")
            #expect(shell.end() != nil)
        }
    }
}
