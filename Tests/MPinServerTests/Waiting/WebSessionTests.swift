// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import Testing

/// The session of a browser that a device has let in.
@Suite struct WebSessionTests {
    /// A browser that is logged in.
    struct Browser {
        /// `name=value`
        let cookie: String
        /// All of what set it.
        let header: String
        let logoutData: [String: Any]

        init(_ fixture: Fixture, as user: ClientRegistration) throws {
            let waiting = try Waiting(at: fixture)
            let outcome = try fixture.approve(user, waiting.code)
            let entered = try waiting.enter(at: fixture)
            header = try #require(entered.headers["set-cookie"])
            cookie = String(header.prefix { $0 != ";" })
            logoutData = try #require(outcome.answer?.object["logoutData"] as? [String: Any])
        }

        func session(_ fixture: Fixture) throws -> Answer { try fixture.with(["cookie": cookie]).get("/session") }

        func logout(_ fixture: Fixture, _ headers: [String: String]) throws -> Answer {
            try fixture.with(headers.merging(["cookie": cookie]) { $1 }).post("/logout", [UInt8]())
        }
    }

    static let json = ["content-type": "application/json"]

    @Test(arguments: ["https://login.example.org", "http://localhost:8080", nil])
    func `the cookie is the browser's alone`(publicURL: String?) throws {
        let fixture = try Fixture(publicURL: publicURL)
        let browser = try Browser(fixture, as: fixture.enroll())
        let parts = browser.header.components(separatedBy: "; ")
        #expect(Set(parts.dropFirst()).isSuperset(of: ["HttpOnly", "SameSite=Strict", "Path=/"]))
        let isSecure = publicURL?.hasPrefix("https") == true
        #expect(parts.contains("Secure") == isSecure)
        let value = try #require(parts[0].split(separator: "=").last)
        #expect(parts[0].hasPrefix(isSecure ? "__Host-mpin_session=" : "mpin_session="))
        #expect(value.utf8.count == 32)
        #expect(browser.logoutData["sessionToken"] as? String != String(value))
        let session = try browser.session(fixture).object
        #expect(session["userId"] as? String == "alice" && session["deviceName"] as? String == "test")
        #expect(session["created"] as? Int64 == fixture.clock.wall)
        #expect(try fixture.get("/session").status == 401)
        for wrong in [
            "", "mpin_session=", "mpin_session=zz", browser.cookie + "0", browser.cookie.uppercased() + "; x",
        ] {
            #expect(try fixture.with(["cookie": wrong]).get("/session").status == 401)
        }
        let twice = "\(browser.cookie); \(parts[0].prefix { $0 != "=" })=\(String(repeating: "0", count: 32))"
        #expect(try fixture.with(["cookie": twice]).get("/session").status == 401)
        #expect(try fixture.with(["cookie": "a=b; \(browser.cookie); c=d"]).get("/session").status == 200)
    }

    @Test func `the device ends the session at once, and only its own`() throws {
        let (fixture, alice) = try Fixture.enrolled()
        let browser = try Browser(fixture, as: alice)
        let other = try Browser(fixture, as: alice)
        var wrong = browser.logoutData
        wrong["userId"] = "bob"
        #expect(try fixture.post("/logout", wrong).status == 400)
        wrong["userId"] = nil
        #expect(try fixture.post("/logout", wrong).status == 400)
        for user in [NSNull(), 1, ""] as [Any] {
            wrong["userId"] = user
            #expect(400...499 ~= (try fixture.post("/logout", wrong).status))
        }
        #expect(try fixture.post("/logout", ["userId": "alice"]).status == 400)
        wrong = ["userId": "alice", "sessionToken": String(browser.cookie.suffix(32))]
        #expect(try fixture.post("/logout", wrong).status == 401)
        #expect(try browser.session(fixture).status == 200)
        let answer = try fixture.post("/logout", browser.logoutData)
        // The mobile web client of 2016 waits for an empty body.
        #expect(answer.status == 200 && answer.body.isEmpty)
        #expect(try browser.session(fixture).status == 401)
        #expect(try other.session(fixture).status == 200)
        #expect(try fixture.post("/logout", browser.logoutData).status == 401)
        // What ends a session does not open one.
        let token = other.logoutData["sessionToken"] as? String ?? ""
        #expect(try fixture.with(["cookie": "mpin_session=\(token)"]).get("/session").status == 401)
    }

    @Test func `the browser ends its own session`() throws {
        let fixture = try Fixture()
        let browser = try Browser(fixture, as: fixture.enroll())
        let answer = try browser.logout(fixture, Self.json)
        #expect(answer.status == 200 && answer.body.isEmpty)
        #expect(answer.headers["set-cookie"]?.contains("Max-Age=0") == true)
        #expect(try browser.session(fixture).status == 401)
        #expect(try browser.logout(fixture, Self.json).status == 401)
        #expect(try fixture.post("/logout", browser.logoutData).status == 401)
    }

    @Test(arguments: [
        [:], ["content-type": "text/plain"], ["content-type": "application/x-www-form-urlencoded"],
        ["content-type": "application/json", "origin": "https://evil.example"],
        ["content-type": "application/json", "origin": "null"],
        ["content-type": "application/json", "origin": "https://login.example.org.evil.example"],
        ["content-type": "application/json", "origin": "http://login.example.org"],
        ["content-type": "application/json", "sec-fetch-site": "cross-site"],
        ["content-type": "application/json", "sec-fetch-site": "same-site"],
        ["x-requested-with": "XMLHttpRequest", "sec-fetch-site": "none"],
    ])
    func `a page of others cannot log a browser out`(headers: [String: String]) throws {
        let fixture = try Fixture(publicURL: "https://login.example.org:443/mpin")
        let browser = try Browser(fixture, as: fixture.enroll())
        #expect(try browser.logout(fixture, headers).status == 403)
        #expect(try browser.session(fixture).status == 200)
        let own = ["origin": "https://login.example.org", "sec-fetch-site": "same-origin", "x-requested-with": "x"]
        #expect(try browser.logout(fixture, own).status == 200)
    }

    @Test func `nor log it in`() throws {
        let (fixture, alice) = try Fixture.enrolled()
        let waiting = try Waiting(at: fixture)
        let outcome = try fixture.approve(alice, waiting.code)
        let foreign = fixture.with(["origin": "https://evil.example", "host": "login.example.org"])
        let refused = try waiting.enter(at: foreign)
        #expect(refused.status == 403)
        #expect(refused.headers["set-cookie"] == nil)
        #expect(outcome.answer == nil)
        let own = fixture.with(["origin": "https://login.example.org", "host": "login.example.org"])
        #expect(try waiting.enter(at: own).status == 200)
    }

    @Test func `an unused session ends, and any session after a while`() throws {
        let fixture = try Fixture(configuration: "session_ttl = 9000\n")
        let browser = try Browser(fixture, as: fixture.enroll())
        for _ in 0..<5 {
            fixture.clock.advance(1_799)
            #expect(try browser.session(fixture).status == 200)
        }
        fixture.clock.advance(5)
        #expect(try browser.session(fixture).status == 401)
        let idle = try Browser(fixture, as: fixture.enroll("bob"))
        fixture.clock.advance(1_800)
        #expect(try idle.session(fixture).status == 401)
        #expect(try fixture.post("/logout", idle.logoutData).status == 401)
    }

    @Test func `revocation ends sessions, and a restart forgets them`() throws {
        let fixture = try Fixture()
        let alice = try Browser(fixture, as: fixture.enroll("alice"))
        let bob = try Browser(fixture, as: fixture.enroll("bob"))
        #expect(try fixture.administrator.revoke("alice", reason: nil) == 1)
        #expect(try alice.session(fixture).status == 401)
        #expect(try bob.session(fixture).status == 200)
        try fixture.restart()
        #expect(try bob.session(fixture).status == 401)
    }
}
