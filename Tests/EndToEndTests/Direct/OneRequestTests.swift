// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Logins of registrations with a device key, counted on the socket.
    @Suite struct OneRequestTests {
        static let only = ["POST /mpinDirect"]

        @Test func `the module makes one request`() throws {
            let machine = try Machine()
            let relay = try CountingRelay(machine)
            try machine.service("relay", at: relay)
            let registered = try machine.enroll(
                "register", "--code", machine.invitation(), at: relay, pin: "4962")
            try #require(registered.status == 0, "\(registered.errors)")
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
            let registered = try machine.enroll(
                "register", "--code", machine.invitation(), at: relay, pin: "4962")
            try #require(registered.status == 0, "\(registered.errors)")
            let connections = relay.connections
            let terminal = try Terminal(
                Products.enroll,
                [
                    "test", "--store", machine.store, "--server", relay.url, "--user", machine.account, "--identity",
                    "alice", "--config", machine.directory + "/mpin.conf",
                ])
            #expect(terminal.shows("PIN for alice"), "\(terminal.screen)")
            usleep(300_000)
            #expect(relay.connections == connections)
            relay.forget()
            terminal.type("4962")
            #expect(terminal.end() == 0, "\(terminal.screen)")
            #expect(relay.requests == Self.only && relay.connections == connections + 1)
        }

        @Test func `a device learns that the server has forgotten it`()
            throws
        {
            let machine = try Machine()
            let relay = try CountingRelay(machine)
            try machine.service("relay", at: relay)
            let registered = try machine.enroll(
                "register", "--code", machine.invitation(), at: relay, pin: "4962")
            try #require(registered.status == 0, "\(registered.errors)")
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
            let machine = try Machine()
            try machine.register()
            for _ in 1...3 { _ = try machine.enroll("test", pin: "4963") }
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
    }
}
