// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import TestPeers
import Testing

@Suite struct LogoutTests {
    private func login(_ fixture: HostedFixture, _ members: String) throws -> (Client, User) {
        let (client, user) = try fixture.enrolled()
        try login(fixture, client, user, members)
        return (client, user)
    }

    private func login(_ fixture: HostedFixture, _ client: Client, _ user: User, _ members: String) throws {
        fixture.answer("/rps/authenticate", .status(200, "{\(members)}"))
        try client.logIn(user, "4962", accessNumber: "4241703")
        fixture.answerAsEver()
        fixture.server.forget()
    }

    @Test func `ends the session once`() throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        #expect(!client.canLogout(user) && !client.logout(user))
        try client.logIn(user, "4962", accessNumber: "4241703")
        #expect(client.canLogout(user))
        fixture.server.forget()
        #expect(client.logout(user))
        #expect(fixture.server.requests == ["POST /logout"])
        #expect(fixture.hosted.bodies("/logout").last as? [String: String] == ["sessionToken": "33", "userId": "a"])
        #expect(!client.canLogout(user))
        #expect(!client.logout(user))
        #expect(fixture.server.requests.count == 1)
    }

    @Test(arguments: [204, 302, 400, 404, 500]) func `a refused logout can be tried again`(status code: Int) throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        try client.logIn(user, "4962", accessNumber: "4241703")
        fixture.answer("/logout", .status(code))
        #expect(!client.logout(user))
        #expect(client.canLogout(user))
        fixture.answerAsEver()
        #expect(client.logout(user))
    }

    @Test func `a session that is over cannot be ended`() throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        try client.logIn(user, "4962", accessNumber: "4241703")
        fixture.answer("/logout", .status(401))
        #expect(!client.logout(user))
        #expect(!client.canLogout(user))
        fixture.answerAsEver()
        fixture.server.forget()
        #expect(!client.logout(user))
        #expect(fixture.server.requests.isEmpty)
    }

    /// The later states of a user whose session was signed in.
    @Test(arguments: ["nothing", "elsewhere", "back", "blocked", "deleted", "cleared", "foreign"])
    func `can log out exactly when a logout is sent`(change: String) throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        try client.logIn(user, "4962", accessNumber: "4241703")
        let directory = fixture.directory + "/other"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        let hosted = fixture.hosted
        let other = try LoopbackServer(directory: directory) { hosted.answer($0) }
        defer { other.stop() }
        var asked = client
        switch change {
        case "elsewhere": try client.mpin.setBackend(other.url)
        case "back":
            try client.mpin.setBackend(other.url)
            try client.mpin.setBackend(fixture.server.url)
        case "blocked":
            for _ in 1...3 { _ = try status { try client.logIn(user, "4963") } }
            #expect(user.state == .blocked)
        case "deleted": try client.mpin.deleteUser(user)
        case "cleared": client.mpin.clearUsers()
        case "foreign": asked = try fixture.client()
        default: break
        }
        fixture.server.forget()
        other.forget()
        let isSent = ["nothing", "back", "blocked"].contains(change)
        #expect(asked.canLogout(user) == isSent)
        #expect(asked.logout(user) == isSent)
        #expect(fixture.server.requests == (isSent ? ["POST /logout"] : []))
        #expect(other.requests.isEmpty)
    }

    @Test func `C9: the next login replaces what the last one left`() throws {
        let fixture = try HostedFixture()
        let (client, user) = try login(fixture, "\"logoutURL\":\"/out/1\",\"logoutData\":{\"n\":\"1\"}")
        try login(fixture, client, user, "\"logoutURL\":\"/logout\",\"logoutData\":{\"n\":\"2\"}")
        #expect(client.logout(user))
        #expect(fixture.server.requests == ["POST /logout"])
        #expect(fixture.last("/logout", "n") == "2")
        try login(fixture, client, user, "\"logoutURL\":\"/logout\"")
        try login(fixture, client, user, "\"message\":\"no way out\"")
        #expect(!client.canLogout(user))
    }

    @Test(arguments: [
        ("\"logoutURL\":\"/logout\",\"logoutData\":\"\"", 0), ("\"logoutURL\":\"/logout\"", 0),
        ("\"logoutURL\":\"/logout\",\"logoutData\":null", 0),
        ("\"logoutURL\":\"/logout\",\"logoutData\":{\"a\":1,\"b\":{}}", 2),
    ]) func `C9: logout data may be empty, missing or an object`(members: String, count: Int) throws {
        let fixture = try HostedFixture()
        let (client, user) = try login(fixture, members)
        #expect(client.canLogout(user))
        #expect(client.logout(user))
        #expect(fixture.hosted.bodies("/logout").last?.count == count)
    }

    @Test(arguments: [("https://else.example/logout", "/logout"), ("http://127.0.0.1:8005//logout", "/logout")])
    func `C9: an absolute address is not glued to the server's`(url: String, path: String) throws {
        let fixture = try HostedFixture()
        let (client, user) = try login(fixture, "\"logoutURL\":\"\(url)\"")
        #expect(client.logout(user))
        #expect(fixture.server.requests == ["POST " + path])
    }

    @Test(arguments: [
        "\"logoutURL\":\"\",\"logoutData\":\"\"", "\"logoutData\":{}", "\"logoutURL\":null", "\"logoutURL\":7",
    ])
    func `without an address there is no logout`(members: String) throws {
        let fixture = try HostedFixture()
        let (client, user) = try login(fixture, members)
        #expect(!client.canLogout(user))
        #expect(!client.logout(user))
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `it is never stored`() throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        try client.logIn(user, "4962", accessNumber: "4241703")
        #expect(try !fixture.record().contains("logout"))
        let later = try fixture.client()
        let again = later.mpin.users.first
        #expect(!later.canLogout(try #require(again)))
    }
}
