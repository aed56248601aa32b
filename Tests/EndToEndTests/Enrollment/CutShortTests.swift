// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinWire
import Synchronization
import TestPeers
import Testing

extension EndToEnd {
    /// Interrupted enrollments: what they use up, and how they continue.
    @Suite struct CutShortTests {
        /// The behavior of a peer in front of the server for requests for the first share.
        private enum Shares { case hand, lose, refuse, refuseRestarts }

        private final class Relay: Sendable {
            let shares = Mutex(Shares.hand)
            /// The requests for the first share.
            let asked = Mutex<[String]>([])
        }

        /// Puts a peer in front of the machine's server.
        ///
        /// - Parameter refuses: whether the peer refuses something instead of the server. It cannot sign, so the server
        ///   seems to be one without keys.
        private func interpose(_ machine: Machine, _ relay: Relay, refuses: Bool = false) throws -> LoopbackServer {
            try machine.interpose { exchange, forward in
                let isShare = exchange.path.contains("/signature/")
                let isKnown = relay.asked.withLock { $0.contains(exchange.path) }
                if isShare { relay.asked.withLock { $0.append(exchange.path) } }
                let mode = relay.shares.withLock { $0 }
                if isShare, isKnown, mode == .refuse || mode == .refuseRestarts {
                    return .status(400, "M-Pin ID not found.")
                }
                if mode == .refuseRestarts, exchange.path.hasPrefix("/rps/user/") { return .status(403, "{}") }
                let answer =
                    refuses
                    ? OldServerView.answer(forward(OldServerView.request(exchange)), to: exchange) : forward(exchange)
                return isShare && mode == .lose ? .hangUp : answer
            }
        }

        @Test(arguments: ["register", "recover"]) func `a user who cancels at the PIN prompt has used up nothing`(
            command: String
        ) throws {
            let machine = try Machine()
            if command == "recover" { try machine.register() }
            let relay = Relay()
            let peer = try interpose(machine, relay)
            defer { peer.stop() }
            let code = try machine.invitation()
            for more in [["--code", code], []] {
                let terminal = try Terminal(Products.enroll, machine.call(command) + more)
                terminal.interrupt(at: "4 to 6 digits: ")
                #expect(terminal.screen.contains("Continue: mpin-enroll \(command) --"), "\(terminal.screen)")
            }
            #expect(relay.asked.withLock { $0 } == [])
            let terminal = try Terminal(Products.enroll, machine.call(command))
            terminal.choose("7385")
            #expect(terminal.end() == 0, "\(terminal.screen)")
            #expect(relay.asked.withLock { $0.count } == 1)
            #expect(try machine.enroll("test", pin: "7385").status == 0)
        }

        @Test func `a code that the registration waited for is followed by the PIN`() throws {
            let machine = try Machine(configuration: "hold_unverified = yes\n")
            let relay = Relay()
            let peer = try interpose(machine, relay)
            defer { peer.stop() }
            let terminal = try Terminal(Products.enroll, machine.call("register"))
            terminal.answer("Invitation or backup code", "")
            terminal.answer("q to quit", try machine.invitation())
            terminal.interrupt(at: "4 to 6 digits: ")
            // The polls, and no request after the code.
            let polls = relay.asked.withLock { $0.count }
            let run = try machine.enroll("register", pin: "7385")
            #expect(run.status == 0, "\(run.all)")
            #expect(relay.asked.withLock { $0.count } == polls + 1)
        }

        @Test(arguments: ["register", "recover"]) func `a share that was issued and lost is replaced without a code`(
            command: String
        ) throws {
            let machine = try Machine()
            if command == "recover" { try machine.register() }
            let relay = Relay()
            let peer = try interpose(machine, relay)
            relay.shares.withLock { $0 = .lose }
            let lost = try machine.enroll(command, "--code", machine.invitation(), pin: "7385")
            peer.stop()
            #expect(lost.status == 69, "\(lost.all)")
            try machine.spendShares()
            let run = try machine.enroll(command, pin: "7385")
            #expect(run.status == 0, "\(run.all)")
            #expect(try machine.enroll("test", pin: "7385").status == 0)
            let audit = try machine.administer("audit")
            #expect(audit.output.contains("had never logged in"), "\(audit.all)")
        }

        @Test(arguments: ["register", "recover"])
        func `a registration that cannot restart starts again with the same code`(
            command: String
        ) throws {
            let machine = try Machine()
            if command == "recover" { try machine.registerWithoutKey() }
            let relay = Relay()
            let peer = try interpose(machine, relay, refuses: true)
            defer { peer.stop() }
            let code = OldServerView.code(try machine.invitation())
            try machine.write("old_server = yes\n", to: "/mpin.conf")
            relay.shares.withLock { $0 = .lose }
            #expect(
                try machine.enroll(command, "--application-code", "--code", code, pin: "7385").status == 69)
            // The server's answer a minute later.
            relay.shares.withLock { $0 = .refuseRestarts }
            let run = try machine.enroll(command, pin: "7385")
            #expect(run.status == 80, "\(run.all)")
            #expect(run.errors.contains("cannot continue this enrollment of alice"), "\(run.all)")
            #expect(
                run.errors.contains("after the server had issued the secret. The server issues it only once."),
                "\(run.all)")
            #expect(run.errors.contains("mpin-enroll \(command) --start-over"), "\(run.all)")
            let terminal = try Terminal(Products.enroll, machine.call(command, "--application-code"))
            terminal.choose("7385")
            #expect(terminal.shows("cannot continue this enrollment of alice"), "\(terminal.screen)")
            #expect(terminal.shows("is valid again until it expires"), "\(terminal.screen)")
            terminal.answer("Start again? [Y/n] ", "")
            terminal.answer("Code for alice", code)
            #expect(terminal.end() == 0, "\(terminal.screen)")
            #expect(terminal.screen.components(separatedBy: "4 to 6 digits").count == 2, "\(terminal.screen)")
            #expect(try machine.enroll("test", pin: "7385").status == 0)
        }

        @Test func `settings without a usable address use up no code`() throws {
            let machine = try Machine()
            let code = try machine.invitation()
            let bad = try CountingRelay(machine) { $0[.certivoxURL] = "file:///etc/passwd" }
            let refused = try machine.enroll("register", "--code", code, at: bad, pin: "4962")
            #expect(refused.status == 76 && refused.errors.contains("lack a usable address"), "\(refused.all)")
            #expect(!bad.requests.contains { $0.contains("/rps/user") }, "\(bad.requests)")
            // The address of the direct login is fixed.
            let relay = try CountingRelay(machine) { $0[.directURL] = "file:///etc/passwd" }
            let run = try machine.enroll("register", "--code", code, at: relay, pin: "4962")
            #expect(run.status == 0, "\(run.all)")
        }
    }
}
