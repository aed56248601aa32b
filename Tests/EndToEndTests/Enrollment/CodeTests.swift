// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Codes at a terminal: mistyped ones, and what remains without one.
    @Suite struct CodeTests {
        @Test(arguments: ["register", "recover"]) func `a mistyped code is asked for again`(command: String) throws {
            let machine = try Machine()
            if command == "recover" {
                try machine.register()
                try machine.block()
            }
            let code = try machine.invitation()
            let terminal = try Terminal(Products.enroll, machine.call(command))
            if command == "recover" { terminal.answer("Old PIN (or Enter, to use a code)", "") }
            terminal.answer("Invitation or backup code for alice", "12")
            #expect(terminal.shows("This is not a valid code."), "\(terminal.screen)")
            terminal.answer("Invitation or backup code for alice", "0000-0000-0000-0000")
            #expect(terminal.shows("did not accept this code for 'alice'"), "\(terminal.screen)")
            terminal.answer("Invitation or backup code for alice", code)
            terminal.answer("New PIN", "7385")
            terminal.answer("Retype the ", "7385")
            #expect(terminal.end() == 0, "\(terminal.screen)")
            #expect(try machine.enroll("test", pin: "7385").status == 0)
        }

        /// Without a terminal, a refused code ends the command as before.
        @Test func `a code from the command line is tried once`() throws {
            let machine = try Machine()
            let run = try machine.enroll("register", "--code", "0000-0000-0000-0000", pin: "4962")
            #expect(run.status == 77, "\(run.all)")
            let terminal = try Terminal(Products.enroll, machine.call("register", "--code", "0000-0000-0000-0000"))
            #expect(terminal.end() == 77, "\(terminal.screen)")
        }

        /// The server's limit of refused codes applies at the terminal, too.
        @Test func `guessing codes ends when the server limits it`() throws {
            let machine = try Machine()
            let terminal = try Terminal(Products.enroll, machine.call("register"))
            var tries = 0
            while tries < 100, terminal.shows("Invitation or backup code for alice") {
                terminal.type("0000-0000-0000-0000")
                tries += 1
            }
            #expect(tries < 100)
            #expect(terminal.end() == 75, "\(terminal.screen)")
            #expect(terminal.screen.contains("asks you to wait"), "\(terminal.screen)")
        }

        @Test func `starting over discards nothing before there is a code`() throws {
            let machine = try Machine(configuration: "hold_unverified = yes\n")
            try #require(machine.enroll("register", pin: "4962").status == 80)
            let before = try String(contentsOfFile: machine.record, encoding: .utf8)
            for stop in ["c", "d"] {
                let terminal = try Terminal(Products.enroll, machine.call("register", "--start-over"))
                terminal.answer("Invitation or backup code for alice", "12")
                #expect(terminal.shows("This is not a valid code."), "\(terminal.screen)")
                #expect(terminal.shows("Invitation or backup code for alice"), "\(terminal.screen)")
                terminal.control(Character(stop))
                #expect(terminal.end() == 130, "\(terminal.screen)")
                #expect(try String(contentsOfFile: machine.record, encoding: .utf8) == before)
            }
            let malformed = try machine.enroll("register", "--start-over", "--code", "12", pin: "4962")
            #expect(malformed.status == 65, "\(malformed.all)")
            #expect(try String(contentsOfFile: machine.record, encoding: .utf8) == before)
            let done = try machine.enroll("register", "--start-over", "--code", machine.invitation(), pin: "4962")
            #expect(done.status == 0, "\(done.all)")
            #expect(try String(contentsOfFile: machine.record, encoding: .utf8) != before)
        }

        @Test func `a registration shows the next step`() throws {
            let machine = try Machine()
            let run = try machine.enroll("register", "--code", machine.invitation(), pin: "4962")
            #expect(run.status == 0, "\(run.all)")
            let next = try #require(run.lines.last)
            #expect(next.hasPrefix("next ") && run.output.contains("mpin-enroll pam enable sudo"), "\(run.output)")
            let line = try #require(next.range(of: "mpin-enroll test"))
            // The command works as printed.
            let test = try Run(
                "/bin/sh", ["-c", "exec \(Products.directory)/\(next[line.lowerBound...]) --pin-file -"], input: "4962")
            #expect(test.status == 0, "\(test.all)")
        }
    }
}
