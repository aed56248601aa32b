// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import TestPeers
import Testing

/// The forms of the calls of a registration, and what each sends.
@Suite struct RegistrationFormTests {
    @Test(arguments: [(nil, nil), ("code", nil), (nil, "data"), ("code", "da\"ta \u{e9}\\")] as [(String?, String?)])
    func `four forms of start`(code: String?, data: String?) throws {
        let fixture = try HostedFixture()
        let client = try fixture.client()
        let user = client.mpin.makeUser("alice@example.org", deviceName: data == nil ? "" : "laptop")
        try client.mpin.startRegistration(user, MPinTests.code(code), userData: data)
        var body = try #require(fixture.hosted.bodies("/rps/user").last)
        #expect(body.removeValue(forKey: "mobile") as? Int == 1)
        var expected = ["userId": "alice@example.org"]
        expected["activateCode"] = code
        expected["userData"] = data
        expected["deviceName"] = data == nil ? nil : "laptop"
        #expect(body as? [String: String] == expected)
        #expect(fixture.server.requests == ["PUT /rps/user"])
    }

    @Test(arguments: [nil, "data"]) func `both forms of restart`(data: String?) throws {
        let fixture = try HostedFixture()
        fixture.reference.activates = false
        let (client, user) = try fixture.newUser()
        try client.mpin.startRegistration(user, activateCode: "code")
        let mpinID = user.mpinID
        fixture.server.forget()
        try client.mpin.restartRegistration(user, userData: data)
        #expect(fixture.server.requests == ["PUT /rps/user/" + mpinID])
        let body = try #require(fixture.hosted.bodies("/rps/user").last)
        #expect((body["regOTT"] as? String)?.count == 32)
        #expect(body["userData"] as? String == data)
        #expect(body["activateCode"] == nil)
        #expect(user.mpinID == mpinID && user.state == .startedRegistration)
    }

    @Test func `a new ID of a restart is kept across processes`() throws {
        let (fixture, client, user) = try HostedFixture.started(activates: false)
        let before = user.mpinID
        let successor = try ReferenceServer()
        successor.activates = false
        fixture.server.answer { successor.answer($0) }
        try client.mpin.restartRegistration(user)
        #expect(user.mpinID != before && user.state == .startedRegistration)
        successor.activates = true
        let later = Client(try fixture.open())
        try later.mpin.setBackend(fixture.server.url)
        let again = try later.first()
        #expect(again.mpinID == user.mpinID)
        try later.finish(again)
    }

    @Test func `C14: what goes into a query is percent-encoded`() throws {
        let (fixture, client, user) = try HostedFixture.started()
        try client.mpin.confirmRegistration(user, pushNotificationIdentifier: "a b&regOTT=1%/+#\u{e9}")
        let query = try #require(fixture.hosted.queries("/rps/signature").last)
        #expect(query.hasSuffix("&pmiToken=a%20b%26regOTT%3d1%25%2f%2b%23%c3%a9"))
        #expect(query.components(separatedBy: "&").count == 2)
    }

    @Test func `without a push identifier none is sent`() throws {
        let (fixture, client, user) = try HostedFixture.started()
        try client.mpin.confirmRegistration(user)
        #expect(fixture.hosted.queries("/rps/signature").last?.contains("pmiToken") == false)
    }

    /// The signed query for the second share lives a minute; when it has lapsed there is only the way back.
    @Test func `a lapsed second share starts over`() throws {
        let (fixture, client, user) = try HostedFixture.started()
        fixture.answer("/dta/clientSecret", .status(502))
        #expect(try status { try client.mpin.confirmRegistration(user) } == .httpServerError)
        fixture.answer("/dta/clientSecret", .status(408))
        #expect(try status { try client.mpin.confirmRegistration(user) } == .requestExpired)
        fixture.answerAsEver()
        fixture.server.forget()
        // The first share has been handed out, so the server no longer knows the registration.
        #expect(try status { try client.mpin.confirmRegistration(user) } == .identityNotVerified)
        #expect(fixture.server.requests == ["GET /rps/signature/" + user.mpinID])
        #expect(try status { try client.mpin.finishRegistration(user, pin: secret("4962")) } == .flowError)
        // Verified already, so that a restart made no sense until now.
        #expect(user.state == .activated)
        try client.mpin.restartRegistration(user, activateCode: "another")
        #expect(fixture.last("/rps/user", "activateCode") == "another")
        try client.finish(user)
        try client.logIn(user, "4962")
    }

    @Test(arguments: [400, 403, 410]) func `a lapsed registration is restarted from activated`(status code: Int) throws
    {
        let fixture = try HostedFixture()
        let first = try fixture.client()
        try first.mpin.startRegistration(first.mpin.makeUser("alice@example.org"))
        // A later process does not know it before it has asked.
        let client = try fixture.client()
        let user = try client.first()
        #expect(try status { try client.mpin.restartRegistration(user) } == .flowError)
        fixture.answer("/rps/signature", .status(code))
        #expect(try status { try client.mpin.confirmRegistration(user) } != nil)
        fixture.answerAsEver()
        try client.mpin.restartRegistration(user)
        #expect(try status { try client.mpin.restartRegistration(user) } == .flowError)
        try client.finish(user)
    }

    @Test func `a code that comes later is sent with a restart`() throws {
        let (fixture, client, user) = try HostedFixture.started(activates: false)
        fixture.reference.activates = true
        try client.mpin.restartRegistration(user, activateCode: "123456", userData: "data")
        #expect(fixture.last("/rps/user", "activateCode") == "123456")
        #expect(fixture.last("/rps/user", "userData") == "data")
        #expect(user.state == .activated)
    }

    /// The message for a call that does not fit names one that does.
    @Test func `a wrong state is named`() throws {
        let (fixture, client, user) = try HostedFixture.newUser()
        #expect(try failure { try client.mpin.confirmRegistration(user) }?.message.contains("new") == true)
        #expect(
            try failure { _ = try client.mpin.startAuthentication(user) }?.message
                == "This user is new: start a registration.")
        try client.register(user)
        #expect(
            try failure { try client.mpin.restartRegistration(user) }?.message
                == "This user is already registered: start an authentication.")
        #expect(try failure { try client.mpin.startRegistration(user) }?.message.contains("registered") == true)
        for _ in 1...3 { _ = try? client.logIn(user, "4963") }
        #expect(try failure { try client.logIn(user, "4962") }?.message.contains("blocked") == true)
    }

    @Test(arguments: ["DOM\\user", "DOM\\bob", "\u{e9}lodie\u{1F600}", "a\"b/c", "\u{e9}\u{301}"])
    func `C7: any identity comes back as it was`(identity: String) throws {
        let fixture = try HostedFixture()
        let client = try fixture.client()
        try client.register(client.mpin.makeUser(identity, deviceName: identity))
        #expect(fixture.last("/rps/user", "userId").map { Array($0.utf8) } == Array(identity.utf8))
        let later = try fixture.client()
        let user = try later.first()
        #expect(Array(user.identity.utf8) == Array(identity.utf8))
        #expect(Array(user.deviceName.utf8) == Array(identity.utf8))
        try later.logIn(user, "4962")
    }

    @Test func `a blocked user is left only by deleting and registering anew`() throws {
        let fixture = try HostedFixture()
        let (client, user) = try fixture.enrolled()
        for _ in 1...3 { _ = try? client.logIn(user, "4963") }
        #expect(user.state == .blocked)
        let twin = client.mpin.makeUser("alice@example.org")
        #expect(try status { try client.mpin.startRegistration(twin) } == .flowError)
        try client.mpin.deleteUser(user)
        try client.register(twin, "7385")
        #expect(twin.mpinID != user.mpinID)
    }
}
