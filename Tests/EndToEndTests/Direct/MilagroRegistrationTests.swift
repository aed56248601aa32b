// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Registrations that were made at a server without device keys, which offers them since.
    @Suite struct MilagroRegistrationTests {
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
