// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinWire
import TestPeers
import Testing

extension EndToEnd {
    /// Logins at a server of 2016: with a second authority on another host, and with one challenge per registration.
    @Suite struct OldServerLoginTests {
        private let place = "https://127.0.0.1:1/dta"

        /// A machine with an enrollment, whose second authority cannot be reached any more.
        private func machine() throws -> OldMachine {
            let machine = try OldMachine.enrolled()
            machine.server.extensions = [.secondAuthority]
            machine.server.secondAuthority = place
            try FileManager.default.removeItem(atPath: machine.directory + "/store/cache/\(machine.account).json")
            return machine
        }

        @Test func `the command names the second authority that cannot be reached`() throws {
            let machine = try machine()
            let test = try machine.enroll("test", "--pin-file", machine.pinFile("4962"))
            let sentence = "\(place) refused the connection. It is the second authority of \(machine.peer.url)."
            #expect(test.status == 69 && test.errors.contains(sentence), "\(test.all)")
            #expect(test.errors.contains("Ask the administrator of \(machine.peer.url)."), "\(test.errors)")
        }

        @Test func `the module names it too`() throws {
            let machine = try machine()
            try machine.makeServices()
            let run = try Run(
                "/usr/bin/pamtester", ["mpin", machine.account, "authenticate"], input: "4962\n",
                environment: PAMText.wrapper(machine.directory + "/pam.d"))
            #expect(run.status != 0, "\(run.all)")
            #expect(
                run.all.contains("\(place): The server refused the connection; your PIN was not checked."), "\(run.all)"
            )
        }

        /// A process that a host forks in the middle of a login does not keep the account's turn.
        @Test func `a child of the host keeps no turn`() throws {
            let machine = try OldMachine.enrolled()
            try machine.makeServices()
            let server = machine.server
            let login = [machine.directory + "/pam.d", "mpin", machine.account, try machine.pinFile("4962")]
            func logIn() throws -> Duration {
                let began = ContinuousClock.now
                let run = try Run(Probe.program, ["cycles"] + login.dropLast() + ["1", login[3]])
                #expect(run.status == 0, "\(run.all)")
                return ContinuousClock.now - began
            }
            let usual = try min(logIn(), logIn())
            // A turn that is held costs the second login a second, each time. A busy machine is slow only sometimes.
            var isPrompt = false
            for _ in 1...6 where !isPrompt {
                machine.peer.answer { exchange in
                    if exchange.path.hasSuffix("pass2") { usleep(600_000) }
                    return server.answer(exchange)
                }
                let first = try Run(Probe.program, ["fork-during"] + login)
                #expect(first.status == 0, "\(first.all)")
                machine.peer.answer { server.answer($0) }
                isPrompt = try logIn() < usual + .milliseconds(700)
            }
            #expect(isPrompt)
        }
    }
}
