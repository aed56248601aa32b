// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Registrations of a client of 2016 at this server.
@Suite(.serialized) struct OldRegistrationTests {
    private func invite(_ user: String, at server: RunningServer) throws -> String {
        try server.invite(user)
    }

    @Test(arguments: [0, 1])
    func `with a code`(mobile: Int) throws {
        let server = try RunningServer()
        let client = OldClient("alice@example.invalid", at: server.peer, dialect: .init(mobile: mobile))
        #expect(try client.setBackend() == .ok)
        #expect(try client.startRegistration(code: invite(client.identity, at: server), device: "Alice phone") == .ok)
        #expect(client.state == .activated)
        #expect(try client.finishRegistration(pin: "1234") == .flowError)
        #expect(try client.confirmRegistration() == .ok)
        #expect(try client.finishRegistration(pin: "1234") == .ok)
        #expect(client.paths == ["rps/clientSettings", "rps/user", "rps/signature", "dta/clientSecret"])
        let devices = try server.command("user", "show", client.identity).object["devices"] as? [[String: Any]]
        #expect(devices?.first?["name"] as? String == "Alice phone")
    }

    @Test func `without one, or with one that is used`() throws {
        let server = try RunningServer()
        let client = OldClient("alice", at: server.peer)
        #expect(try client.setBackend() == .ok)
        #expect(try client.startRegistration() == .notAuthorized)
        let code = try invite("alice", at: server)
        #expect(try client.enroll(code: code) == [.ok, .ok, .ok, .ok])
        #expect(try client.startAuthentication() == .ok)
        #expect(try client.authenticate(pin: "1234") == .ok)
        #expect(try OldClient("alice", at: server.peer).enroll(code: code)[1] == .notAuthorized)
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

    @Test func `begun again after the server has forgotten it`() throws {
        let server = try RunningServer(configuration: "hold_unverified = yes\n")
        let client = OldClient("erin", at: server.peer)
        #expect(try client.setBackend() == .ok)
        #expect(try client.startRegistration() == .ok)
        let old = client.mpinID
        client.state = .startedRegistration
        client.mpinID = String(old.dropLast(8)) + "3030227d"
        #expect(try client.restartRegistration() == .ok)
        #expect(client.mpinID != old)
        #expect(try client.confirmRegistration() == .notVerified)
    }

    @Test func `of a service that is found by its address`() throws {
        let server = try RunningServer(
            configuration: "public_url = https://login.example.org/mpin\nservice_name = Example\n")
        let client = OldClient("svc", at: server.peer)
        let (status, details) = try client.serviceDetails()
        #expect(status == .ok)
        #expect(details["name"] == "Example")
        #expect(details["url"] == "https://login.example.org/mpin")
        #expect(try client.setBackend(prefix: details["rps_prefix"] ?? "") == .ok)
        #expect(client.settings["registerURL"] as? String == "https://login.example.org/mpin/rps/user")
        #expect(try client.setBackend(prefix: "nothing") == .requestError)
        let unnamed = try RunningServer()
        #expect(try OldClient("svc", at: unnamed.peer).serviceDetails().status == .requestError)
        #expect(unnamed.stop() == 0)
    }
}
