// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import MPinServer
import MPinServerRoles
import MPinServerStorage
import Testing

/// Sessions that wait for a login on a device.
@Suite struct AccessNumberTests {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    @Test(arguments: [true, false])
    func `a login on a device lets the waiting session in`(link: Bool) throws {
        let (fixture, alice) = try Fixture.enrolled(publicURL: "https://login.example.org")
        let waiting = try Waiting(at: fixture, link: link)
        #expect(try waiting.status(at: fixture) == "new")
        #expect(try fixture.post("/rps/accessnumber", ["webOTT": waiting.webOTT]).status == 401)
        let outcome = try fixture.approve(alice, waiting.code, from: .user(7))
        #expect(outcome.hold != nil)
        #expect(outcome.answer == nil)
        let poll = try waiting.poll(at: fixture)
        #expect(poll.string("status") == "authenticate")
        #expect(
            try fixture.post("/rps/accessnumber", ["webOTT": waiting.webOTT]).string("authOTT")
                == poll.string("authOTT"))
        let entered = try waiting.enter(at: fixture)
        #expect(entered.status == 200)
        #expect(entered.string("userId") == "alice")
        let device = try #require(outcome.answer)
        #expect(device.status == 200)
        #expect(device.string("userId") == "alice")
        #expect(device.string("logoutURL") == "/logout")
        #expect((device.object["logoutData"] as? [String: Any])?["userId"] as? String == "alice")
        #expect(try waiting.status(at: fixture) == "expired")
        #expect(try fixture.post("/rps/accessnumber", ["webOTT": waiting.webOTT]).status == 404)
        #expect(try fixture.auditText().contains("login alice uid 1000 alice approved from uid 7"))
    }

    @Test func `numbers have seven digits, a check digit from 1 to 9, and differ`() throws {
        let fixture = try Fixture(configuration: "failures_per_source = 500\n")
        let answers = try (0..<500).map { _ in try Waiting(at: fixture) }
        for waiting in answers {
            #expect(AccessNumber.isValid(Array(waiting.code.utf8)))
            #expect(!waiting.code.hasSuffix("0"))
        }
        #expect(Set(answers.map(\.code)).count == 500)
        #expect(Set(answers.map(\.webOTT)).count == 500)
        #expect(Set(answers.map { $0.code.suffix(1) }).count == 9)
        let answer = answers[0].answer
        #expect(answer.object["ttlSeconds"] as? Int == 120)
        let start = answer.object["localTimeStart"] as? Int64
        #expect(start == fixture.clock.wall * 1_000)
        #expect(answer.object["localTimeEnd"] as? Int64 == (start ?? 0) + 120_000)
    }

    @Test func `the description of the service leads there`() throws {
        let base = "https://login.example.org/mpin"
        let fixture = try Fixture(configuration: "service_name = Example\n", publicURL: base)
        let service = try fixture.get("/service")
        #expect(
            service.object as? [String: String] == [
                "name": "Example", "url": base, "rps_prefix": "rps", "logo_url": "", "type": "online",
            ])
        let link = try fixture.post("/rps/getQrUrl", [UInt8]()).string("qrUrl")
        #expect(link.hasPrefix(base + "#"))
        #expect(link.utf8.count == base.utf8.count + 33)
    }

    @Test func `a device tells how far it is`() throws {
        let fixture = try Fixture(configuration: "service_name = Example\n")
        let waiting = try Waiting(at: fixture, link: true)
        let details = try fixture.post("/rps/codeStatus", ["status": "wid", "wid": waiting.code])
        for name in ["appName", "AppName"] { #expect(details.string(name) == "Example") }
        for name in ["prerollId", "PrerollId", "appLogoURL", "AppLogoUrl"] {
            #expect(details.object[name] as? String == "")
        }
        #expect(try waiting.status(at: fixture) == "wid")
        let user = try fixture.post("/rps/codeStatus", ["status": "user", "wid": waiting.code, "userId": "alice"])
        #expect(user.object as? [String: String] == ["Status": "OK"])
        #expect(try waiting.status(at: fixture) == "user")
        #expect(try waiting.poll(at: fixture).string("userId") == "alice")
        let unknown = try fixture.post("/rps/codeStatus", ["status": "wid", "wid": "4241703"])
        #expect(unknown.status == 200)
        #expect(unknown.object as? [String: String] == ["Status": "OK"])
        for body in ["", "[]", "{}", "{\"wid\":\"4241703\"}", "{\"status\":\"nonsense\",\"wid\":\"4241703\"}"] {
            #expect(try fixture.post("/rps/codeStatus", Array(body.utf8)).status == 400)
        }
    }

    @Test func `of many at once one reaches a session`() throws {
        let waiting = try Waiting(at: fixture)
        let users = try (0..<8).map { try fixture.enroll("user\($0)") }
        let outcomes = try onThreads(users.count) { try fixture.approve(users[$0], waiting.code) }
        #expect(outcomes.filter { $0.hold != nil }.count == 1)
        #expect(outcomes.filter { $0.status == 412 }.count == 7)
        #expect(try waiting.enter(at: fixture).status == 200)
        #expect(outcomes.filter { $0.status == 200 }.count == 1)
    }

    @Test func `a number is good until its time is over, to the second`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "access_number_ttl = 60\n")
        let waiting = try Waiting(at: fixture)
        #expect(waiting.answer.object["ttlSeconds"] as? Int == 60)
        fixture.clock.advance(59)
        let early = try Login(alice, at: fixture).passTwo(at: fixture, wid: waiting.code)
        let late = try Login(alice, at: fixture).passTwo(at: fixture, wid: waiting.code)
        let other = try Waiting(at: fixture)
        let inTime = try fixture.approve(alice, other.code)
        #expect(inTime.hold != nil)
        #expect(fixture.bring(early).hold != nil)
        fixture.clock.advance(1)
        #expect(try other.status(at: fixture) == "authenticate")
        // The session may still take a login that was approved in time.
        #expect(try waiting.enter(at: fixture).status == 200)
        #expect(fixture.bring(late).status == 412)
        let third = try Waiting(at: fixture)
        let before = try Login(alice, at: fixture).passTwo(at: fixture, wid: third.code)
        fixture.clock.advance(30)
        #expect(try third.status(at: fixture) == "new")
        fixture.clock.advance(30)
        #expect(try third.status(at: fixture) == "expired")
        #expect(fixture.bring(before).status == 412)
        #expect(try fixture.approve(alice, third.code).status == 412)
    }

    @Test func `a session that does not take the login up in ten seconds loses it`() throws {
        let alice = try fixture.enroll()
        let waiting = try Waiting(at: fixture)
        let outcome = try fixture.approve(alice, waiting.code)
        let handle = try waiting.poll(at: fixture).string("authOTT")
        fixture.clock.advance(10)
        #expect(try waiting.status(at: fixture) == "expired")
        #expect(try fixture.post("/mpinAuthenticate", ["mpinResponse": ["authOTT": handle]]).status == 408)
        outcome.hold?.expire()
        #expect(outcome.status == 408)
    }

    @Test func `the device and the session agree on the outcome of a login`() throws {
        let alice = try fixture.enroll()
        let waiting = try Waiting(at: fixture)
        let outcome = try fixture.approve(alice, waiting.code)
        let handle = try waiting.poll(at: fixture).string("authOTT")
        outcome.hold?.expire()
        #expect(outcome.status == 408)
        #expect(try fixture.post("/mpinAuthenticate", ["mpinResponse": ["authOTT": handle]]).status == 408)
        let next = try Waiting(at: fixture)
        let second = try fixture.approve(alice, next.code)
        #expect(try next.enter(at: fixture).status == 200)
        second.hold?.expire()
        second.hold?.abandon()
        #expect(second.status == 200)
    }

    @Test func `revocation and blocking reach a login that waits to be taken up`() throws {
        let alice = try fixture.enroll()
        let waiting = try Waiting(at: fixture)
        let outcome = try fixture.approve(alice, waiting.code)
        #expect(try fixture.administrator.revoke("alice", reason: nil) == 1)
        #expect(try waiting.enter(at: fixture).status == 403)
        #expect(outcome.status == 403)
    }
}
