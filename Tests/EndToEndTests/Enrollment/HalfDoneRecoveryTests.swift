// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestPeers
import Testing

extension EndToEnd {
    /// Interrupted recoveries, and what the programs know about them afterwards.
    @Suite struct HalfDoneRecoveryTests {
        /// The requests that the server in between cuts off.
        private enum Victims: Sendable {
            case none, logins, revocations

            func contain(_ exchange: Exchange) -> Bool {
                switch self {
                case .none: false
                case .logins: exchange.path == "/mpinDirect"
                case .revocations: exchange.isRevocation
                }
            }
        }

        private final class Cut: Sendable {
            let victims = Mutex(Victims.none)
        }

        /// Puts a peer in front of the machine's server that hangs up at one path.
        private func interpose(_ machine: Machine, _ cut: Cut) throws -> LoopbackServer {
            try machine.interpose { exchange, forward in
                cut.victims.withLock { $0.contain(exchange) } ? .hangUp : forward(exchange)
            }
        }

        @Test func `a server that does not know the old enrollment has not revoked it`() throws {
            let machine = try Machine.enrolled()
            try machine.forgetRegistrations()
            let run = try machine.enroll(
                "recover", "--code", machine.invitation(), "--new-pin-file", machine.pinFile("7351"), "--json")
            #expect(try run.status == 0 && run.json()["oldRevoked"] as? Bool == false, "\(run.all)")
            #expect(try machine.enroll("status", "--json").json()["unrevoked"] == nil)
        }

        @Test(arguments: ["test", "otp", "devices"])
        func `a failed revocation is reported, and the next login requests it again`(_ command: String) throws {
            let machine = try Machine.enrolled()
            let cut = Cut()
            let peer = try interpose(machine, cut)
            defer { peer.stop() }
            cut.victims.withLock { $0 = .revocations }
            let run = try machine.enroll(
                "recover", "--code", machine.invitation(), "--new-pin-file", machine.pinFile("7351"), "--json")
            #expect(try run.status == 0 && run.json()["oldRevoked"] as? Bool == false, "\(run.all)")
            #expect(try machine.deviceStates() == ["REGISTERED", "REGISTERED"])
            let status = try machine.enroll("status")
            #expect(status.output.contains("mpin-server user revoke alice --device 1"), "\(status.all)")
            #expect(try machine.enroll("status", "--json").json()["unrevoked"] as? Int == 1)
            // It still fails, and nothing is lost.
            #expect(try machine.enroll("test", pin: "7351").status == 0)
            #expect(try machine.enroll("status", "--json").json()["unrevoked"] as? Int == 1)

            cut.victims.withLock { $0 = .none }
            let next = try machine.enroll(command, pin: "7351")
            #expect(next.status == 0 && next.all.contains("has now revoked"), "\(next.all)")
            #expect(try machine.deviceStates() == ["REVOKED", "REGISTERED"])
            #expect(try machine.enroll("status", "--json").json()["unrevoked"] == nil)
        }

        @Test func `a PIN change by the module keeps pending revocations, and one by mpin-enroll requests them`() throws
        {
            let machine = try Machine.enrolled()
            let cut = Cut()
            let peer = try interpose(machine, cut)
            defer { peer.stop() }
            cut.victims.withLock { $0 = .revocations }
            #expect(try machine.recover(code: machine.invitation(), pin: "7351").status == 0)
            try machine.service("mpin", machine.module("local_services=mpin"))
            let changed = try machine.pam("chauthtok", typing: ["7351", "8264", "8264"])
            #expect(changed.status == 0, "\(changed.all)")
            #expect(try machine.enroll("status", "--json").json()["unrevoked"] as? Int == 1)
            cut.victims.withLock { $0 = .none }
            let again = try machine.enroll(
                "change-pin", "--new-pin-file", machine.pinFile("9153"), pin: "8264")
            #expect(again.status == 0 && again.output.contains("has now revoked"), "\(again.all)")
            #expect(try machine.deviceStates() == ["REVOKED", "REGISTERED"])
        }

        @Test func `a kill between replacement and revocation forgets nothing`() throws {
            let machine = try Machine.enrolled()
            let cut = Cut()
            cut.victims.withLock { $0 = .revocations }
            let reached = DispatchSemaphore(value: 0)
            let peer = try machine.interpose { exchange, forward in
                guard cut.victims.withLock({ $0.contain(exchange) }) else { return forward(exchange) }
                reached.signal()
                return Answer(status: 500, delay: 30)
            }
            defer { peer.stop() }
            let recovery = try Background(
                [Products.enroll] + machine.call("recover", "--code", machine.invitation(), "--timeout", "60")
                    + ["--no-input", "--new-pin-file", machine.pinFile("7351")])
            #expect(reached.wait(timeout: .now() + 120) == .success)
            recovery.kill()
            cut.victims.withLock { $0 = .none }
            #expect(try machine.enroll("status", "--json").json()["unrevoked"] as? Int == 1)
            #expect(try machine.enroll("test", pin: "7351").status == 0)
            #expect(try machine.deviceStates() == ["REVOKED", "REGISTERED"])
        }

        @Test func `an unfinished recovery of a valid registration is shown, and an unused code is reported`() throws {
            let machine = try Machine.enrolled()
            let cut = Cut()
            let peer = try interpose(machine, cut)
            defer { peer.stop() }
            // The token is stored, and its first login fails.
            cut.victims.withLock { $0 = .logins }
            let begun = try machine.recover(code: machine.invitation(), pin: "7351")
            #expect(begun.status == 69, "\(begun.all)")
            cut.victims.withLock { $0 = .none }
            #expect(try machine.enroll("test", pin: "4962").status == 0)
            let status = try machine.enroll("status")
            #expect(status.output.contains("recovery  not finished"), "\(status.all)")
            #expect(status.output.contains("--start-over"), "\(status.all)")

            let terminal = try Terminal(Products.enroll, machine.call("recover", "--code", try machine.invitation()))
            #expect(terminal.shows("The code was not used"), "\(terminal.screen)")
            terminal.answer("PIN that you chose for the new enrollment of alice: ", "4962")
            #expect(terminal.end() == 81, "\(terminal.screen)")
            #expect(terminal.screen.contains("recover --start-over"), "\(terminal.screen)")
            #expect(try machine.enroll("recover", "--new-pin-file", machine.pinFile("7351")).status == 0)
            #expect(try machine.enroll("test", pin: "7351").status == 0)
            #expect(try machine.deviceStates() == ["REVOKED", "REGISTERED"])
        }
    }

    /// Messages that name the obstacle.
    @Suite struct ObstacleTests {
        /// A program that holds the lock of the account's records.
        private func holder(_ machine: Machine) throws -> Background {
            let lock = machine.store + "/users/\(machine.account).lock"
            let holder = try Background(Launcher.locking(lock) + ["/bin/sh", "-c", "echo held; read line"])
            try holder.requireLine("held")
            return holder
        }

        @Test func `a block that cannot be recorded is reported with the process that holds the lock`() throws {
            let machine = try Machine.enrolled(maximum: 1)
            let holder = try holder(machine)
            let blocked = try machine.enroll("test", "--timeout", "5", pin: "4963")
            #expect(blocked.status == 82, "\(blocked.all)")
            #expect(blocked.errors.contains("could not be recorded here"), "\(blocked.all)")
            #expect(blocked.errors.contains("(process \(holder.identifier))"), "\(blocked.all)")
            let changing = try machine.enroll("remove", "--local-only", "--yes", "--timeout", "5")
            #expect(changing.status == 75, "\(changing.all)")
            #expect(changing.errors.contains("(process \(holder.identifier))"), "\(changing.all)")
            holder.kill()
        }

        @Test func `a blocked user types the old PIN, or a code`() throws {
            let machine = try Machine.enrolled()
            for _ in 0..<3 { _ = try machine.enroll("test", pin: "4963") }
            let unblocked = try Terminal(Products.enroll, machine.call("recover"))
            #expect(unblocked.shows("Old PIN (or Enter, to use a code): "), "\(unblocked.screen)")
            #expect(try machine.administer("user", "unblock", "alice").status == 0)
            unblocked.type("4962")
            #expect(unblocked.end() == 0, "\(unblocked.screen)")
            #expect(!unblocked.screen.contains("nvitation"), "\(unblocked.screen)")

            for _ in 0..<3 { _ = try machine.enroll("test", pin: "4963") }
            let coded = try Terminal(Products.enroll, machine.call("recover"))
            coded.answer("Old PIN (or Enter, to use a code): ", "")
            coded.answer("nvitation", try machine.invitation())
            coded.choose("7385")
            #expect(coded.end() == 0, "\(coded.screen)")
            #expect(try machine.enroll("test", pin: "7385").status == 0)
        }

        @Test func `the last try is typed twice`() throws {
            let machine = try Machine.enrolled()
            for _ in 0..<2 { _ = try machine.enroll("test", pin: "4963") }
            #expect(try machine.counted() == 2)
            let hasty = try Terminal(Products.enroll, machine.call("test"))
            hasty.answer("1 try left", "4963")
            #expect(hasty.shows("a wrong PIN may block the enrollment of alice"), "\(hasty.screen)")
            hasty.answer("Retype the ", "4962")
            #expect(hasty.end() == 65, "\(hasty.screen)")
            #expect(try machine.counted() == 2)
            let sure = try Terminal(Products.enroll, machine.call("test"))
            sure.answer("PIN for alice", "4962")
            sure.answer("Retype the ", "4962")
            #expect(sure.end() == 0, "\(sure.screen)")
            #expect(try machine.counted() == 0)
        }

        @Test func `the last try is typed twice if other processes have used the other tries meanwhile`() throws {
            let machine = try Machine.enrolled()
            let terminal = try Terminal(Products.enroll, machine.call("test"))
            #expect(terminal.shows("PIN for alice: "), "\(terminal.screen)")
            for _ in 0..<2 { _ = try machine.enroll("test", pin: "4963") }
            terminal.type("4963")
            #expect(terminal.shows("Retype the "), "\(terminal.screen)")
            let screen = terminal.screen
            // The first sentence appears before the login starts, the second one after it has started.
            #expect(
                screen.contains("a wrong PIN may block the enrollment of alice")
                    || screen.contains("a wrong PIN may block alice. This PIN was not checked."), "\(screen)")
            terminal.type("4962")
            #expect(terminal.end() == 65, "\(terminal.screen)")
            #expect(try machine.counted() == 2)
        }

        @Test func `a confirmation can be mistyped three times in one call`() throws {
            let machine = try Machine()
            let terminal = try Terminal(
                Products.enroll, machine.call("register", "--code", try machine.invitation()))
            for round in 1...3 {
                terminal.answer("4 to 6 digits: ", "4962")
                terminal.answer("Retype the new PIN: ", "496\(round + 2)")
            }
            #expect(terminal.end() == 65, "\(terminal.screen)")
            #expect(terminal.screen.contains("differed 3 times"), "\(terminal.screen)")
            // The code is not used up, and the registration continues.
            #expect(try machine.enroll("register", pin: "4962").status == 0)
        }

        @Test func `missing files and unknown names have different messages`() throws {
            let machine = try Machine.enrolled()
            let missing = try machine.enroll("otp", "--pin-file", machine.directory + "/none")
            #expect(missing.status == 65 && missing.errors.contains("No such file or directory"), "\(missing.all)")
            func register(at server: String) throws -> Run {
                let call =
                    machine.call("register", "--no-input", "--code", "AAAA-AAAA-AAAA-AAAA", identity: "bob")
                    + ["--pin-file", try machine.pinFile("4962")]
                return try Run(Products.enroll, call.map { $0 == machine.url ? server : $0 })
            }
            let unknown = try register(at: "https://no-such-host.invalid")
            #expect(
                unknown.status == 69 && unknown.errors.contains("Cannot resolve the host name no-such-host.invalid."),
                "\(unknown.all)")
            let refused = try register(at: "https://127.0.0.1:1")
            #expect(
                refused.status == 69 && refused.errors.contains("127.0.0.1:1 refused the connection."), "\(refused.all)"
            )
            #expect(!refused.errors.contains("not known"), "\(refused.all)")
        }

        @Test func `a removal whose answer is lost reports that it may have succeeded`() throws {
            let machine = try Machine.enrolled()
            let isCut = Mutex(true)
            let peer = try machine.interpose { exchange, forward in
                let answer = forward(exchange)
                return exchange.isRevocation && isCut.withLock({ $0 }) ? .hangUp : answer
            }
            defer { peer.stop() }
            let lost = try machine.enroll("remove", "--yes", pin: "4962")
            #expect(lost.status == 69, "\(lost.all)")
            #expect(lost.errors.contains("may have revoked the enrollment."), "\(lost.all)")
            #expect(!lost.errors.contains("--local-only"), "\(lost.all)")
            isCut.withLock { $0 = false }
            let again = try machine.enroll("remove", "--yes", pin: "4962")
            #expect(again.status == 0, "\(again.all)")
        }
    }
}

extension Exchange {
    /// Whether this asks for a registration to be revoked, by its device or by a login handle.
    fileprivate var isRevocation: Bool {
        path == "/mpinRevoke"
            || path == "/mpinDirect" && String(decoding: body, as: UTF8.self).contains("\"purpose\":\"revoke\"")
    }
}
