// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestPeers
import Testing

extension EndToEnd {
    /// Messages that only enrollments at servers of 2016 lead to.
    @Suite struct OldServerSentenceTests {
        @Test func `its permit hook has revoked an enrollment`() throws {
            let machine = try OldMachine()
            try machine.register()
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
            let machine = try OldMachine()
            try machine.register()
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
