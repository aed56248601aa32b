// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// mpin-enroll without a command, in every state of an account.
    @Suite struct EveryStateTests {
        enum State: String, CaseIterable, Sendable {
            case nothing, emptyStore, started, activated, registered, blocked, revoked
        }

        private func machine(in state: State) throws -> Machine {
            let machine = try Machine(configuration: state == .started ? "hold_unverified = yes\n" : nil)
            switch state {
            case .nothing: break
            case .emptyStore:
                try machine.register()
                try #require(try machine.enroll("remove", "--yes", pin: "4962").status == 0)
            case .started: try #require(try machine.enroll("register", pin: "4962").status == 80)
            case .activated:
                let terminal = try Terminal(Products.enroll, machine.call("register", "--code", machine.invitation()))
                terminal.interrupt(at: "New PIN")
            case .registered: try machine.register()
            case .blocked:
                try machine.register()
                try machine.block()
            case .revoked:
                try machine.register()
                try #require(try machine.administer("user", "revoke", "alice").status == 0)
                try #require(try machine.enroll("test", pin: "4962").status == 83)
            }
            return machine
        }

        /// A call without a command and without a terminal.
        private func inAPipe(_ machine: Machine, _ more: String..., command: [String] = []) throws -> Run {
            try Run(
                "/usr/bin/setsid",
                ["--wait", Products.enroll] + command + Array(machine.call("").dropFirst()) + more)
        }

        @Test(arguments: State.allCases) func `in a pipe each state has its status and hint`(state: State) throws {
            let machine = try machine(in: state)
            let isFinished = [.registered, .blocked, .revoked].contains(state)
            for command in [[], ["next"]] {
                let plain = try inAPipe(machine, command: command)
                #expect(plain.status == (isFinished ? 0 : 66), "\(plain.all)")
                let hint = "mpin-enroll register --pin-file FILE --code-file FILE --user"
                #expect(plain.all.contains(isFinished ? "state     " : hint), "\(plain.all)")
                let object = try inAPipe(machine, "--json", command: command)
                #expect(object.status == (isFinished ? 0 : 66), "\(object.all)")
                #expect(try object.json()["ok"] as? Bool == isFinished)
                #expect(object.errorCode == (isFinished ? nil : "INPUT_NEEDED"))
            }
            // The call has used up nothing.
            #expect(try machine.administer("audit", "--user", "alice").output.contains("register-refused") == false)
        }

        @Test(arguments: State.allCases) func `at a terminal each state leads to the next step`(state: State) throws {
            let machine = try machine(in: state)
            let object = try Terminal(Products.enroll, Array(machine.call("").dropFirst()) + ["--json"])
            #expect(object.end() == ([.registered, .blocked, .revoked].contains(state) ? 0 : 66), "\(object.screen)")

            let terminal = try Terminal(Products.enroll, Array(machine.call("").dropFirst()))
            switch state {
            case .nothing, .emptyStore, .started:
                terminal.answer("Invitation or backup code", try machine.invitation())
                terminal.choose("7385")
                #expect(terminal.end() == 0, "\(terminal.screen)")
                #expect(try machine.enroll("test", pin: "7385").status == 0)
            case .activated:
                terminal.choose("7385")
                #expect(terminal.end() == 0, "\(terminal.screen)")
                #expect(try machine.enroll("test", pin: "7385").status == 0)
            case .registered:
                #expect(terminal.shows("next      Try it: mpin-enroll test"), "\(terminal.screen)")
                #expect(terminal.end() == 0)
            case .blocked:
                #expect(terminal.shows("state     blocked"), "\(terminal.screen)")
                #expect(terminal.shows("mpin-enroll recover"), "\(terminal.screen)")
                #expect(terminal.end() == 0)
            case .revoked:
                #expect(terminal.shows("state     revoked at the last login"), "\(terminal.screen)")
                #expect(terminal.shows("still refuses it: mpin-enroll test"), "\(terminal.screen)")
                #expect(terminal.end() == 0)
                #expect(!terminal.screen.contains("mpin-enroll recover"), "\(terminal.screen)")
            }
        }

        @Test func `canceling shows the next command`() throws {
            let machine = try machine(in: .nothing)
            let terminal = try Terminal(Products.enroll, Array(machine.call("").dropFirst()))
            #expect(terminal.shows("Invitation or backup code"))
            terminal.control("d")
            #expect(terminal.end() == 130, "\(terminal.screen)")
            #expect(terminal.screen.contains("Start again: mpin-enroll register"), "\(terminal.screen)")
        }
    }
}
