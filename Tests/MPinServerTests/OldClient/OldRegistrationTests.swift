// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Registrations of a client of 2016 at this server.
@Suite(.serialized) struct OldRegistrationTests {
    @Test(arguments: [0, 1])
    func `with a code`(mobile: Int) throws {
        let server = try RunningServer()
        let client = OldClient("alice@example.invalid", at: server.peer, dialect: .init(mobile: mobile))
        #expect(try client.setBackend() == .ok)
        #expect(try client.startRegistration(code: server.invite(client.identity), device: "Alice phone") == .ok)
        #expect(client.state == .activated)
        #expect(try client.finishRegistration(pin: "1234") == .flowError)
        #expect(try client.confirmRegistration() == .ok)
        #expect(try client.finishRegistration(pin: "1234") == .ok)
        #expect(client.paths == ["rps/clientSettings", "rps/user", "rps/signature", "dta/clientSecret"])
        let devices = try server.command("user", "show", client.identity).object["devices"] as? [[String: Any]]
        #expect(devices?.first?["name"] as? String == "Alice phone")
    }

    @Test func `begun again while it is not verified`() throws {
        let server = try RunningServer(configuration: "hold_unverified = yes\n")
        let client = OldClient("erin@example.invalid", at: server.peer)
        #expect(try client.setBackend() == .ok)
        #expect(try client.startRegistration() == .ok)
        #expect(client.state == .startedRegistration)
        let (mpinID, regOTT) = (client.mpinID, client.regOTT)
        #expect(try client.confirmRegistration() == .notVerified)
        #expect(try client.restartRegistration() == .ok)
        #expect(client.mpinID == mpinID)
        #expect(client.regOTT == regOTT)
        #expect(try client.confirmRegistration() == .notVerified)
    }
}
