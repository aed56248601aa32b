// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// What a server of 2016 gets only with an option for it: an enrollment, and a code.
    @Suite struct ExpectedOldServerTests {
        /// An attacker with a trusted certificate can make any server look like this one.
        @Test(arguments: ["register", "recover"])
        func `a server without keys is refused unless the administrator expects it`(command: String) throws {
            let machine = try OldMachine()
            if command == "recover" {
                try machine.register()
                for _ in 1...3 { _ = try machine.enroll("test", "--pin-file", machine.pinFile("4963")) }
            }
            try Data().write(to: URL(fileURLWithPath: machine.directory + "/mpin.conf"))
            machine.peer.forget()
            let option = command == "recover" ? "--new-pin-file" : "--pin-file"
            let refused = try machine.enroll(command, option, machine.pinFile("7385"))
            #expect(refused.status == 69 && refused.errors.contains("offers no device keys"), "\(refused.all)")
            #expect(refused.errors.contains("Or set in mpin.conf: old_server = yes"), "\(refused.errors)")
            #expect(machine.peer.requests.allSatisfy { $0 == "GET /rps/clientSettings" })
            // The command in the message has the option for the PIN.
            let terminal = try machine.follow(refused.errors)
            #expect(terminal.end() == 0, "\(terminal.screen)")
            #expect(terminal.screen.contains("This server proves no key") == false)
            #expect(try machine.enroll("test", "--pin-file", machine.pinFile("7385")).status == 0)
        }

        /// What users type may be their PIN.
        @Test(arguments: [true, false]) func `no code is asked for, and a text that is none is not sent`(
            withOption: Bool
        ) throws {
            let machine = try OldMachine()
            if withOption {
                let terminal = try machine.terminal("register", "--application-code")
                #expect(terminal.shows("Code for alice (press Enter for none): "), "\(terminal.screen)")
                terminal.type("membership 2016")
                terminal.choose("4962")
                #expect(terminal.end() == 0, "\(terminal.screen)")
                #expect(machine.peer.received.contains("\"activateCode\":\"membership 2016\""))
            } else {
                let run = try machine.enroll("register", "--code", "4962", "--pin-file", machine.pinFile("4962"))
                #expect(run.status == 65 && run.errors.contains("Nothing was sent."), "\(run.all)")
                #expect(run.errors.contains("add --application-code"), "\(run.all)")
                let terminal = try machine.terminal("register")
                terminal.choose("4962")
                #expect(terminal.end() == 0 && !terminal.screen.contains("code"), "\(terminal.screen)")
                #expect(!machine.peer.received.contains("activateCode"))
            }
        }

        @Test func `a code that was given at the start is sent`() throws {
            let machine = try OldMachine()
            let server = machine.server
            machine.peer.answer { exchange in
                let isCoded = String(decoding: exchange.body, as: UTF8.self).contains("\"activateCode\":\"123456\"")
                return exchange.method == "PUT" && !isCoded ? .status(403) : server.answer(exchange)
            }
            let pin = try machine.pinFile("4962")
            let without = try machine.enroll("register", "--pin-file", pin)
            #expect(
                without.status == 77 && without.errors.contains("--application-code --code-file FILE"), "\(without.all)"
            )
            #expect(
                try machine.enroll("register", "--pin-file", pin, "--application-code", "--code", "123456").status == 0)
        }
    }
}
