// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// A life of an enrollment while strangers who know its M-Pin ID do all they can.
    @Suite struct StrangersTests {
        @Test func `they change and delay nothing`() throws {
            let machine = try Machine.enrolled()
            let strangers = try Strangers(knowing: machine)
            var slowest = Duration.zero
            func quickly(_ body: () throws -> Run) throws -> Run {
                let start = ContinuousClock.now
                defer { slowest = max(slowest, .now - start) }
                return try body()
            }
            for _ in 1...3 { _ = try quickly { try machine.pam("authenticate", typing: ["4962"]) } }
            let usual = slowest
            slowest = .zero
            strangers.begin()
            defer { strangers.end() }
            for _ in 1...8 {
                let login = try quickly { try machine.pam("authenticate", typing: ["4962"]) }
                #expect(login.status == 0 && !login.all.contains("wrong PIN"), "\(login.all)")
            }
            let mistyped = try machine.pam("authenticate", typing: ["4963"])
            #expect(mistyped.all.contains("2 tries left"), "\(mistyped.all)")
            #expect(try quickly { try machine.enroll("test", pin: "4962") }.status == 0)
            #expect(try quickly { try machine.enroll("otp", pin: "4962") }.status == 0)
            let browser = try WaitingBrowser(at: machine)
            #expect(try browser.during { try machine.enroll("approve", browser.number, pin: "4962") }.status == 0)
            #expect(browser.identity() == "alice")
            let changed = try machine.enroll(
                "change-pin", "--pin-file", machine.pinFile("4962"), "--new-pin-file", machine.pinFile("7385"))
            #expect(changed.status == 0, "\(changed.all)")
            #expect(try quickly { try machine.pam("authenticate", typing: ["7385"]) }.status == 0)

            #expect(becomes { strangers.sent > 200 }, "only \(strangers.sent)")
            strangers.end()
            #expect(strangers.successes == 0)
            #expect(slowest < max(.seconds(5), usual * 10), "\(slowest) \(usual)")
            #expect(try machine.counted() == 0)
            let audit = try machine.administer("audit", "--user", "alice", "--json").output
            #expect(!audit.contains("blocked"))
            // Only the owner uses up the owner's limits.
            for _ in 1...2 { _ = try machine.pam("authenticate", typing: ["4963"]) }
            #expect(try machine.counted() == 2)
            #expect(try machine.pam("authenticate", typing: ["7385", "7385"]).status == 0)
        }
    }
}

/// Threads that send everything about one M-Pin ID that can be sent without its device.
private final class Strangers: @unchecked Sendable {
    private let requests: StrangersRequests
    private let lock = NSLock()
    private var goesOn = true
    private var count = 0
    var sent: Int { lock.withLock { count } }
    /// Requests that were answered like those of the device.
    private(set) var successes = 0
    private let threads = DispatchGroup()

    init(knowing machine: Machine) throws { requests = try StrangersRequests(knowing: machine) }

    func begin() {
        for number in 0..<3 {
            threads.enter()
            Thread.detachNewThread { [self] in
                var round = number
                while lock.withLock({ goesOn }) {
                    let status = requests.attack(round)
                    lock.withLock {
                        count += 1
                        if status == 200 { successes += 1 }
                    }
                    round += 1
                }
                threads.leave()
            }
        }
    }

    func end() {
        lock.withLock { goesOn = false }
        threads.wait()
    }
}
