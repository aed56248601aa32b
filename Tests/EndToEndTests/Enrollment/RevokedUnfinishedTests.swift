// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Registrations that the administrator revokes before they are finished. The message reports this, and the hint
    /// works.
    @Suite struct RevokedUnfinishedTests {
        /// The command in the last line, with a new code in it, at a terminal.
        private func follow(_ text: String, _ machine: Machine) throws -> Terminal {
            let line = try #require(text.split(separator: "\n").last { $0.contains("mpin-enroll ") }, "\(text)")
            let start = try #require(line.range(of: "mpin-enroll "))
            let command = line[start.lowerBound...].replacingOccurrences(
                of: " CODE", with: " " + (try machine.invitation()))
            return try Terminal("/bin/sh", ["-c", "exec \(Products.directory)/\(command)"])
        }

        @Test(arguments: ["register", "recover"]) func `a revoked activated registration leads to a new one`(
            command: String
        ) throws {
            let machine = try Machine()
            if command == "recover" {
                try machine.register()
                try machine.block()
            }
            try machine.quitAtPIN(command, "--code", machine.invitation())
            try #require(try machine.administer("user", "revoke", "alice").status == 0)
            for more in [[], ["--code", try machine.invitation()]] {
                let run = try Run(
                    Products.enroll,
                    machine.call(command) + more + ["--no-input", "--pin-file", machine.pinFile("7385")])
                #expect(run.status == 83, "\(run.all)")
                #expect(
                    run.errors.contains("unix:\(machine.socket) has revoked the enrollment of alice"), "\(run.all)")
                #expect(run.errors.contains("mpin-enroll \(command) --code CODE --start-over"), "\(run.errors)")
            }
            let object = try machine.enroll(command, "--json", pin: "7385")
            #expect(object.status == 83 && object.errorCode == "REVOKED", "\(object.all)")
            let plain = try Terminal(Products.enroll, machine.call(command, "--code", machine.invitation()))
            plain.choose("7385")
            #expect(plain.end() == 83, "\(plain.screen)")
            let terminal = try follow(plain.screen, machine)
            terminal.choose("7385")
            #expect(terminal.end() == 0, "\(terminal.screen)")
            #expect(try machine.enroll("test", pin: "7385").status == 0)
        }

        @Test func `a revoked unverified registration leads to a new one`() throws {
            let machine = try Machine(configuration: "hold_unverified = yes\n")
            // Meanwhile, a user waits for the verification at a terminal.
            let waiting = try Terminal(Products.enroll, machine.call("register"))
            waiting.answer("Invitation or backup code", "")
            #expect(waiting.shows("q to quit"), "\(waiting.screen)")
            try #require(try machine.administer("user", "revoke", "alice").status == 0)
            #expect(waiting.end() == 83, "\(waiting.screen)")
            #expect(try machine.enroll("register", pin: "7385").status == 83)
            let terminal = try follow(waiting.screen, machine)
            terminal.choose("7385")
            #expect(terminal.end() == 0, "\(terminal.screen)")
        }
    }
}
