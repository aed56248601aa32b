// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Enrollment on a machine whose configuration names no server.
    @Suite struct ServerPromptTests {
        @Test(arguments: ["register", "next"]) func `the server is asked for`(_ command: String) throws {
            let machine = try Machine()
            let code = try machine.invitation()
            let call = [
                command, "--store", machine.store, "--user", machine.account, "--identity", "alice", "--config",
                machine.directory + "/mpin.conf",
            ]
            let terminal = try Terminal(Products.enroll, call)
            terminal.answer("Invitation: ", "no://address")
            terminal.answer("A server's address alone is HOST[:PORT]", "unix:" + machine.socket)
            terminal.answer("Invitation or backup code for alice", code)
            for prompt in ["New PIN", "Retype the "] {
                terminal.answer(prompt, "4962")
            }
            #expect(terminal.end() == 0, "\(terminal.screen)")
            // From now on the registration itself names the server.
            #expect(
                try Run(Products.enroll, ["test", "--pin-file", "-"] + call.dropFirst(), input: "4962").status == 0)
            let again = try Run(Products.enroll, ["next"] + call.dropFirst())
            #expect(again.status == 0 && again.output.contains(machine.socket), "\(again.all)")
        }

        @Test func `a code is not taken for an address`() throws {
            let machine = try Machine()
            let code = try machine.invitation()
            let terminal = try Terminal(
                Products.enroll,
                [
                    "register", "--store", machine.store, "--user", machine.account, "--identity", "alice", "--config",
                    machine.directory + "/mpin.conf",
                ])
            terminal.answer("Invitation: ", "localhost:1/NYWQ-0000-0000-000U")
            // A line break has cut it.
            terminal.answer("This is not a valid code.", "localhost:1/NYWQ-0000")
            terminal.answer("This is not a valid code.", "http://localhost/" + code)
            terminal.answer("needs https, not http", code)
            terminal.answer("That is an invitation code. Now type the server's address.", "unix:" + machine.socket)
            // The code is known already.
            for prompt in ["New PIN", "Retype the "] { terminal.answer(prompt, "4962") }
            #expect(terminal.end() == 0, "\(terminal.screen)")
        }

        @Test func `a host name means https, also on the command line`() throws {
            let machine = try Machine()
            let run = try Run(
                Products.enroll,
                [
                    "register", "--server", "localhost:1", "--store", machine.store, "--user", machine.account,
                    "--config",
                    machine.directory + "/mpin.conf", "--code", machine.invitation(), "--no-input",
                    "--pin-file", "-",
                ], input: "4962")
            #expect(run.status == 69 && run.errors.contains("https://localhost:1"), "\(run.all)")
        }

        @Test func `without a terminal, the missing server is named`() throws {
            let machine = try Machine()
            let run = try Run(
                Products.enroll,
                [
                    "register", "--store", machine.store, "--user", machine.account, "--config",
                    machine.directory + "/mpin.conf", "--no-input",
                ])
            #expect(run.status == 78 && run.errors.contains("No server is configured."), "\(run.all)")
        }
    }
}
