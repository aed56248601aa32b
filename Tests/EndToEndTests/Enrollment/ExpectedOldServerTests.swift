// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestPeers
import Testing

extension EndToEnd {
    /// What a server of 2016 gets only with an option for it, an enrollment and a code, and messages that only it leads to.
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
            let terminal = try machine.follow(refused.errors)
            if command == "recover" {
                #expect(terminal.shows("Old PIN (or Enter, to enroll again): "), "\(terminal.screen)")
                terminal.type("")
            }
            terminal.choose("7385")
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
                terminal.answer("Code for alice (press Enter for none): ", "membership 2016")
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

        @Test func `its permit hook has revoked an enrollment`() throws {
            let machine = try OldMachine.enrolled()
            machine.server.refusal = 410
            let run = try machine.enroll("test", "--pin-file", machine.pinFile("4962"))
            #expect(run.status == 83, "\(run.all)")
            #expect(run.errors.contains("its permit hook (RPAPermitUserURL) has revoked the enrollment."), "\(run.all)")
            #expect(!run.errors.contains("device key"), "\(run.errors)")
        }

        @Test func `it proves no key, which is no fault`() throws {
            let machine = try OldMachine()
            for isEnrolled in [false, true] {
                if isEnrolled { try machine.register() }
                let run = try Run(Products.enroll, ["server", "show"] + machine.options + ["--no-input"])
                #expect(run.status == 0 && !run.all.contains("mpin-enroll server show"), "\(run.all)")
                #expect(run.output.contains("the server proves no key, as a server of 2016"), "\(run.output)")
            }
        }

        @Test func `after a lost answer, the old PIN is valid`() throws {
            let machine = try OldMachine.enrolled()
            let server = machine.server
            let logins = Counter()
            machine.peer.answer { exchange in
                let answer = server.answer(exchange)
                guard exchange.path == "/mpinAuthenticate" else { return answer }
                // The first login is with the old PIN, the last one with the new one.
                return logins.next() < 3 ? answer : .hangUp
            }
            let run = try machine.enroll(
                "change-pin", "--pin-file", machine.pinFile("4962"), "--new-pin-file", machine.pinFile("7385"))
            #expect(run.status == 69 && run.errors.contains("The old PIN remains valid."), "\(run.all)")
            machine.peer.answer { server.answer($0) }
            #expect(try machine.enroll("test", "--pin-file", machine.pinFile("4962")).status == 0)
        }
    }
}

/// Counts calls of a closure.
private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
