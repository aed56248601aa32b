// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// `server set` and `server trust`, killed before any call that changes something: a repetition completes them.
    @Suite(.enabled(if: Launcher.canTrace)) struct KilledMoveTests {
        private static var calls: [String] { isFast ? ["renameat"] : changing }
        private static let changing = [
            "mkdirat", "openat", "fchmod", "fchown", "write", "fsync", "rename", "renameat", "unlink", "unlinkat",
        ]

        @Test func `a move`() throws {
            let machine = try Machine.enrolled()
            let bob = try machine.enroll(
                "register", "--code", machine.invitation(for: "bob"), pin: "7385", identity: "bob")
            try #require(bob.status == 0, "\(bob.all)")
            // Another account of the machine, so that the accounts can differ after a cut.
            try machine.register(pin: "9164", identity: "carol", account: "daemon")
            let relay = try CountingRelay(machine)
            let addresses = ["unix:" + machine.socket, relay.url]
            let file = { (address: String) in "server = \(address) # here\ntimeout = 9\n" }
            try machine.write(file(addresses[0]), to: "/mpin.conf")
            var (present, deaths) = (0, 0)
            for name in Self.calls {
                for n in 1...200 {
                    let next = addresses[1 - present]
                    let set = machine.ofAllAccounts(["set", next])
                    let isKilled = try KilledRun.isKilled(at: n, of: name, set)
                    let again = try machine.server("set", next)
                    #expect(again.status == 0, "\(name) \(n): \(again.all)")
                    #expect(try machine.configuration == file(next), "\(name) \(n)")
                    let list = try Run(Products.enroll, ["list", "--store", machine.store]).output
                    #expect(list.split(separator: "\n").count == 3, "\(name) \(n): \(list)")
                    #expect(
                        list.split(separator: "\n").allSatisfy { $0.contains("\t\(next)\t") }, "\(name) \(n): \(list)")
                    let test = try machine.configured("test", pin: "4962")
                    #expect(test.status == 0, "\(name) \(n): \(test.all)")
                    present = 1 - present
                    guard isKilled else { break }
                    deaths += 1
                }
            }
            #expect(deaths >= (isFast ? 2 : 12), "\(deaths)")
            #expect(try machine.configured("test", pin: "4962").status == 0)
        }

        @Test func `a change of the key`() throws {
            let machine = try Machine(), other = try Machine()
            let middle = try ManInTheMiddle(machine)
            let registered = try machine.enroll(
                "register", "--code", machine.invitation(), at: middle, pin: "4962")
            try #require(registered.status == 0, "\(registered.all)")
            let keys = [try machine.fingerprint(), try other.fingerprint()]
            var (present, deaths) = (0, 0)
            for name in Self.calls {
                for n in 1...200 {
                    // The other server takes the place of the present one.
                    present = 1 - present
                    try middle.plan(present == 1 ? "elsewhere" : "pass", ["socket": other.socket])
                    let trust = machine.ofAllAccounts(["trust", keys[present], "--yes"] + middle.options)
                    let isKilled = try KilledRun.isKilled(at: n, of: name, trust)
                    let again = try Run(Products.enroll, trust)
                    #expect(again.status == 0, "\(name) \(n): \(again.all)")
                    let status = try machine.enroll("status", "--json", at: middle).json()
                    #expect(status["serverKey"] as? String == keys[present], "\(name) \(n): \(status)")
                    #expect(status["state"] as? String == "REGISTERED")
                    guard isKilled else { break }
                    deaths += 1
                }
            }
            #expect(deaths >= (isFast ? 1 : 6), "\(deaths)")
            if present == 1 {
                try middle.plan("pass")
                let back = machine.ofAllAccounts(["trust", keys[0], "--yes"] + middle.options)
                #expect(try Run(Products.enroll, back).status == 0)
            }
            let test = try machine.enroll("test", at: middle, pin: "4962")
            #expect(test.status == 0, "\(test.all)")
        }
    }
}
