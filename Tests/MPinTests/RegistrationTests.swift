import Foundation
import MPin
import TestPeers
import Testing

@Suite struct RegistrationTests {
    @Test func `goes from invalid to registered`() throws {
        let fixture = try Fixture()
        let client = Client(try fixture.open())
        try client.mpin.setBackend(fixture.server.url)
        let user = client.mpin.makeUser("alice@example.org", deviceName: "laptop")
        #expect(user.state == .invalid)
        try client.mpin.startRegistration(user)
        #expect(user.state == .activated)
        try client.mpin.confirmRegistration(user)
        #expect(user.state == .activated)
        try client.mpin.finishRegistration(user, pin: try secret("4962"))
        #expect(user.state == .registered)
        #expect(
            fixture.server.requests == [
                "GET /rps/clientSettings", "PUT /rps/user", "GET /rps/signature/\(user.mpinID)",
                "GET /dta/clientSecret",
            ])
        #expect(fixture.server.connections == 1)
        try client.logIn(user, "4962")
    }

    @Test func `waits for verification and keeps the registration across restarts`() throws {
        let fixture = try Fixture()
        fixture.reference.activates = false
        let first = Client(try fixture.open())
        try first.mpin.setBackend(fixture.server.url)
        try first.mpin.startRegistration(first.mpin.makeUser("alice@example.org"))

        let client = Client(try fixture.open())
        try client.mpin.setBackend(fixture.server.url)
        let user = try #require(client.mpin.users.first)
        #expect(user.state == .startedRegistration)
        #expect(try status { try client.mpin.confirmRegistration(user) } == .identityNotVerified)
        #expect(try status { try client.mpin.finishRegistration(user, pin: secret("4962")) } == .flowError)
        fixture.reference.activates = true
        let before = user.mpinID
        try client.mpin.restartRegistration(user)
        #expect(user.mpinID == before)
        #expect(user.state == .activated)
        try client.mpin.confirmRegistration(user)
        try client.mpin.finishRegistration(user, pin: secret("4962"))
        try client.logIn(user, "4962")
    }

    @Test func `adopts a new ID when the server forgot the old`() throws {
        let fixture = try Fixture()
        fixture.reference.activates = false
        let client = Client(try fixture.open())
        try client.mpin.setBackend(fixture.server.url)
        let user = client.mpin.makeUser("alice@example.org")
        try client.mpin.startRegistration(user)
        let before = user.mpinID
        let successor = try ReferenceServer()
        fixture.server.answer { successor.answer($0) }
        try client.mpin.restartRegistration(user)
        #expect(user.mpinID != before)
        try client.mpin.confirmRegistration(user)
        try client.mpin.finishRegistration(user, pin: secret("4962"))
        try client.logIn(user, "4962")
    }

    @Test func `refuses an identity twice at one server`() throws {
        let fixture = try Fixture()
        let (client, user) = try fixture.enrolled()
        let twin = client.mpin.makeUser("alice@example.org")
        #expect(try status { try client.mpin.startRegistration(twin) } == .flowError)
        #expect(client.mpin.users.count == 1)
        #expect(fixture.server.requests.isEmpty)
        try client.mpin.deleteUser(user)
        #expect(user.state == .invalid)
        try client.mpin.startRegistration(twin)
        #expect(twin.state == .activated)
    }

    @Test func `keeps the first share while the second authority is away`() throws {
        let fixture = try Fixture()
        let reference = fixture.reference
        fixture.server.answer { $0.path == "/dta/clientSecret" ? .status(502) : reference.answer($0) }
        let client = Client(try fixture.open())
        try client.mpin.setBackend(fixture.server.url)
        let user = client.mpin.makeUser("alice@example.org")
        try client.mpin.startRegistration(user)
        #expect(try status { try client.mpin.confirmRegistration(user) } == .httpServerError)
        #expect(try status { try client.mpin.finishRegistration(user, pin: secret("4962")) } == .flowError)
        fixture.server.answer { reference.answer($0) }
        fixture.server.forget()
        try client.mpin.confirmRegistration(user)
        #expect(fixture.server.requests == ["GET /dta/clientSecret"])
        try client.mpin.finishRegistration(user, pin: secret("4962"))
        try client.logIn(user, "4962")
    }

    @Test func `refuses an ID for somebody else`() throws {
        let fixture = try Fixture()
        let reference = fixture.reference
        let client = Client(try fixture.open())
        try client.mpin.setBackend(fixture.server.url)
        fixture.server.answer { exchange in
            guard exchange.method == "PUT" else { return reference.answer(exchange) }
            let body = String(decoding: exchange.body, as: UTF8.self).replacingOccurrences(of: "alice", with: "mallory")
            return reference.answer(
                Exchange(method: "PUT", path: exchange.path, query: "", body: Array(body.utf8)))
        }
        let user = client.mpin.makeUser("alice@example.org")
        #expect(try status { try client.mpin.startRegistration(user) } == .responseParseError)
        #expect(user.state == .invalid)
        #expect(!FileManager.default.fileExists(atPath: fixture.recordPath))
    }

    @Test func `an empty PIN changes nothing`() throws {
        let fixture = try Fixture()
        let client = Client(try fixture.open())
        try client.mpin.setBackend(fixture.server.url)
        let user = client.mpin.makeUser("alice@example.org")
        try client.mpin.startRegistration(user)
        try client.mpin.confirmRegistration(user)
        #expect(try status { try client.mpin.finishRegistration(user, pin: secret("")) } == .pinInputCanceled)
        #expect(user.state == .activated)
        try client.mpin.finishRegistration(user, pin: secret("4962"))
        #expect(user.state == .registered)
    }

    @Test func `a failed backend changes nothing`() throws {
        let fixture = try Fixture()
        let (client, user) = try fixture.enrolled()
        #expect(try status { try client.mpin.setBackend("unix:/nowhere/s.sock") } == .networkError)
        #expect(try status { try client.mpin.setBackend("http://example.org") } == .flowError)
        #expect(client.mpin.backend?.text == fixture.server.url)
        try client.logIn(user, "4962")
    }
}
