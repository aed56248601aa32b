// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// A screen locker whose prompt takes the PIN or the password, in a program that may not read tokens.
    @Suite(.enabled(if: PrivateSystem.isPossible)) struct AgentPasswordTests {
        private let daemon = AgentMachine.daemon

        /// The password's module is a script, because pam_unix would need an account with a password.
        private func system(password: String) throws -> AgentMachine {
            let system = try AgentMachine()
            try system.publish("#!/bin/sh\ntest \"$(tr -d '\\0')\" = \(password)\n", "/password")
            try #require(chmod(system.machine.directory + "/password", 0o755) == 0)
            let stack = """
                auth [success=done default=ignore] \(system.machine.module("agent=\(system.socket) forward_pass"))
                auth required pam_exec.so quiet expose_authtok \(system.machine.directory)/password
                account required pam_permit.so

                """
            try system.publish(stack, "/pam.d/mpin")
            return system
        }

        /// Whether libpam lets the user in who types one line. A second prompt gets no answer.
        private func logIn(_ system: AgentMachine, typing line: String) throws -> Bool {
            let call = try system.installed(as: daemon, ["/usr/bin/pamtester", "mpin", daemon.name, "authenticate"])
            return try Run(call, input: line + "\n").status == 0
        }

        @Test func `the agent passes a password on and sends it to no server`() throws {
            let system = try system(password: "pass-Word")
            #expect(try logIn(system, typing: "pass-Word"))
            #expect(try !logIn(system, typing: "pass-word"))
            #expect(try system.machine.counted() == 0)
        }

        @Test func `digits of a PIN are never taken for the password`() throws {
            // A password like a wrong PIN would open if it were passed on.
            let system = try system(password: "4963")
            #expect(try logIn(system, typing: daemon.pin))
            #expect(try !logIn(system, typing: "4963"))
            #expect(try system.machine.counted() == 1)
        }
    }
}
