// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Logins of registrations with and without a device key, counted on the socket.
    @Suite struct OneRequestTests {
        static let only = ["POST /mpinDirect"]

        @Test func `the module makes one request`() throws {
            let machine = try Machine()
            let relay = try CountingRelay(machine)
            try machine.service("relay", at: relay)
            try machine.register(at: relay)
            #expect(try machine.key(at: relay) == "file")
            relay.forget()
            let right = try machine.pam("authenticate", service: "relay", typing: ["4962"])
            #expect(right.all.contains(PAMText.success), "\(right.all)")
            #expect(relay.requests == Self.only)
            relay.forget()
            let wrong = try machine.pam("authenticate", service: "relay", typing: ["4963"])
            #expect(wrong.all.contains(PAMText.authError), "\(wrong.all)")
            #expect(relay.requests == Self.only)
            #expect(try machine.counted() == 1)
        }

        @Test func `nothing is on the wire before Enter`() throws {
            let machine = try Machine()
            let relay = try CountingRelay(machine)
            try machine.register(at: relay)
            let connections = relay.connections
            let terminal = try Terminal(Products.enroll, machine.call("test", at: relay))
            #expect(terminal.shows("PIN for alice"), "\(terminal.screen)")
            usleep(300_000)
            #expect(relay.connections == connections)
            relay.forget()
            terminal.type("4962")
            #expect(terminal.end() == 0, "\(terminal.screen)")
            #expect(relay.requests == Self.only && relay.connections == connections + 1)
        }

        @Test func `a device learns that the server has forgotten it`() throws {
            let machine = try Machine()
            let relay = try CountingRelay(machine)
            try machine.service("relay", at: relay)
            try machine.register(at: relay)
            try #require(try machine.administer("user", "purge", "alice", "--yes").status == 0)
            relay.forget()
            let run = try machine.pam("authenticate", service: "relay", typing: ["4962"])
            #expect(!run.all.contains(PAMText.success) && run.all.contains("does not know this device"), "\(run.all)")
            #expect(!relay.requests.contains { $0.contains("pass") || $0.contains("timePermit") }, "\(relay.requests)")
            let test = try machine.enroll("test", at: relay, pin: "4962")
            #expect(test.status == 84 && test.errors.contains("does not know the enrollment"), "\(test.all)")
            #expect(test.errors.contains("mpin-enroll recover"), "\(test.all)")
        }

        @Test func `recovery and removal of a keyed registration`() throws {
            let machine = try Machine.enrolled()
            try machine.block()
            #expect(try machine.enroll("test", pin: "4962").status == 82)
            let recovered = try machine.enroll("recover", "--code", machine.invitation(), pin: "7385")
            #expect(recovered.status == 0, "\(recovered.all)")
            let status = try machine.enroll("status")
            #expect(status.output.contains("key       file") && !status.output.contains("replaced"), "\(status.all)")
            #expect(try machine.enroll("test", pin: "7385").status == 0)
            let removed = try machine.enroll("remove", "--yes", "--json", pin: "7385")
            #expect(removed.status == 0, "\(removed.all)")
            #expect(try removed.json()["revoked"] as? Bool == true)
        }

        private func enrolled(_ machine: Machine, _ relay: CountingRelay) throws {
            let registered = try machine.enroll(
                "register", "--old-server", "--application-code", "--code", OldServerView.code(machine.invitation()),
                at: relay, pin: "4962")
            try #require(registered.status == 0, "\(registered.errors)")
            #expect(try machine.key(at: relay) == "none")
            relay.show()
            try FileManager.default.removeItem(atPath: machine.store + "/cache")
            relay.forget()
        }

        @Test func `it never gets a key in place, and a recovery makes one with a key`() throws {
            let machine = try Machine()
            let relay = try CountingRelay(machine, hidesKeys: true)
            try machine.service("relay", at: relay)
            try enrolled(machine, relay)
            let before = try String(contentsOfFile: machine.record, encoding: .utf8)
            for pin in ["4963", "4962"] {
                let login = try machine.pam("authenticate", service: "relay", typing: [pin])
                #expect(login.all.contains(PAMText.success) == (pin == "4962"), "\(login.all)")
            }
            #expect(relay.requests.contains("POST /rps/pass2") && !relay.requests.contains("POST /mpinDirect"))
            let test = try machine.enroll("test", at: relay, pin: "4962")
            #expect(test.status == 0, "\(test.all)")
            #expect(try String(contentsOfFile: machine.record, encoding: .utf8) == before)

            // The settings of that login name what the server offers.
            let status = try machine.enroll("status", at: relay)
            #expect(status.output.contains("offers device keys") && status.output.contains("recover"), "\(status.all)")
            let doctor = try Run(
                Products.enroll, ["doctor", "--config", machine.directory + "/mpin.conf", "--store", machine.store])
            #expect(doctor.output.contains("offers device keys"), "\(doctor.all)")

            let recovered = try machine.enroll("recover", "--code", machine.invitation(), at: relay, pin: "7385")
            #expect(recovered.status == 0, "\(recovered.all)")
            #expect(try machine.key(at: relay) == "file")
            relay.forget()
            let new = try machine.pam("authenticate", service: "relay", typing: ["7385"])
            #expect(new.all.contains(PAMText.success), "\(new.all)")
            #expect(relay.requests == OneRequestTests.only)
            // The server has revoked the one that was replaced.
            try Data(before.utf8).write(to: URL(fileURLWithPath: machine.record))
            let old = try machine.pam("authenticate", service: "relay", typing: ["4962"])
            #expect(!old.all.contains(PAMText.success), "\(old.all)")
        }
    }
}
