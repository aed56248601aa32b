// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// mpin-enroll killed before any call that changes something: either the old state or the new one is valid.
    @Suite(.enabled(if: Launcher.canTrace)) struct KilledEnrollmentTests {
        /// The calls that change something, or that report whether it is durable.
        private static var calls: [String] { isFast ? ["renameat"] : changing }
        private static let changing = ["mkdirat", "fchmod", "write", "fsync", "renameat", "unlinkat"]
        private static let old = "4962", new = "804713"

        /// Dies once before each occurrence of each call.
        ///
        /// - Parameter step: gets a call and its number, and returns whether the program reached it.
        /// - Returns: the number of kills.
        private func everywhere(_ calls: [String], _ step: (String, Int) throws -> Bool) rethrows -> Int {
            var deaths = 0
            for call in calls {
                for n in 1...100 {
                    guard try step(call, n) else { break }
                    deaths += 1
                }
            }
            return deaths
        }

        private func call(
            _ machine: Machine, _ command: String, _ more: [String], store: String? = nil, identity: String = "alice"
        ) -> [String] {
            machine.call(command, options: more + ["--no-input"], identity: identity, store: store)
        }

        /// Returns which of two PINs logs in.
        private func working(_ machine: Machine, _ pins: [String], store: String? = nil) throws -> String? {
            for pin in pins {
                let test = call(machine, "test", ["--pin-file", try machine.pinFile(pin)], store: store)
                if try Run(Products.enroll, test).status == 0 { return pin }
            }
            return nil
        }

        @Test func `a change of the PIN`() throws {
            let machine = try Machine()
            try machine.register(pin: Self.old)
            let pins = [Self.old: Self.new, Self.new: Self.old]
            var current = Self.old
            let deaths = try everywhere(Self.calls + ["sendto"]) { name, n in
                let next = try #require(pins[current])
                let change = call(
                    machine, "change-pin",
                    ["--pin-file", try machine.pinFile(current), "--new-pin-file", try machine.pinFile(next)])
                guard try KilledRun.isKilled(at: n, of: name, change) else {
                    current = next
                    return false
                }
                let inForce = try working(machine, [current, next])
                current = try #require(inForce, "no PIN works after a death at \(name) \(n)")
                // Files left behind do not affect later commands.
                let after = try #require(pins[current])
                let again = call(
                    machine, "change-pin",
                    ["--pin-file", try machine.pinFile(current), "--new-pin-file", try machine.pinFile(after)])
                let run = try Run(Products.enroll, again)
                try #require(run.status == 0, "\(name) \(n): \(run.all)")
                current = after
                return true
            }
            #expect(deaths >= (isFast ? 4 : 12))
        }

        @Test func `a recovery`() throws {
            let machine = try Machine()
            try machine.register(pin: Self.old)
            let pins = [Self.old: Self.new, Self.new: Self.old]
            var current = Self.old
            let deaths = try everywhere(Self.calls) { name, n in
                let next = try #require(pins[current])
                let file = ["--pin-file", try machine.pinFile(next)]
                let code = try machine.invitation()
                let recover = call(machine, "recover", ["--code", code] + file)
                guard try KilledRun.isKilled(at: n, of: name, recover) else {
                    current = next
                    return false
                }
                let inForce = try working(machine, [current, next])
                _ = try #require(inForce, "no PIN works after a death at \(name) \(n)")
                try finish(machine, "recover", code: code, pin: next, at: "\(name) \(n)")
                // Above all, the registration in use is not the revoked one.
                #expect(try working(machine, [next]) == next, "\(name) \(n)")
                current = next
                return true
            }
            #expect(deaths >= (isFast ? 4 : 12))
        }

        @Test func `a registration`() throws {
            let machine = try Machine()
            let deaths = try everywhere(Self.calls) { name, n in
                let store = machine.directory + "/store-\(name)-\(n)", identity = "user-\(name)-\(n)"
                let code = try machine.invitation(for: identity)
                let register = call(
                    machine, "register", ["--code", code, "--pin-file", try machine.pinFile(Self.old)], store: store,
                    identity: identity)
                guard try KilledRun.isKilled(at: n, of: name, register) else { return false }
                try finish(
                    machine, "register", code: code, pin: Self.old, at: "\(name) \(n)", store: store, identity: identity
                )
                return true
            }
            #expect(deaths >= (isFast ? 3 : 8))
        }

        /// Does it once more: an enrollment with the code it had, however far it had come; a recovery with a new one
        /// when the new registration has logged in.
        private func finish(
            _ machine: Machine, _ command: String, code: String, pin: String, at moment: String, store: String? = nil,
            identity: String = "alice"
        ) throws {
            let file = ["--pin-file", try machine.pinFile(pin)]
            var run = try Run(
                Products.enroll,
                call(machine, command, ["--code", code] + file, store: store, identity: identity))
            if run.status == 77, command == "recover" {
                let fresh = try machine.invitation(for: identity)
                run = try Run(
                    Products.enroll,
                    call(machine, command, ["--code", fresh] + file, store: store, identity: identity))
            }
            let isDone = run.status == 0 || (command == "register" && run.status == 79)
            try #require(isDone, "\(moment): \(run.all)")
            let test = call(machine, "test", file, store: store, identity: identity)
            try #require(try Run(Products.enroll, test).status == 0, "\(moment)")
        }

        @Test func `a recovery after a killed change of the PIN`() throws {
            let machine = try Machine()
            try machine.register(pin: Self.old)
            // Dies when the new PIN is staged beside the old one, before the first login with it.
            let change = call(
                machine, "change-pin",
                ["--pin-file", try machine.pinFile(Self.old), "--new-pin-file", try machine.pinFile(Self.new)])
            #expect(try KilledRun.isKilled(at: 2, of: "fsync", change))
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: machine.store + "/staging").contains {
                    $0.hasSuffix(".json")
                })
            try finish(machine, "recover", code: machine.invitation(), pin: "7385", at: "fsync 2")
        }
    }
}
