// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// The faults of the reference server that must not come back; ``ReferenceServiceFaultTests`` describes each.
@Suite struct ReferenceFaultTests {
    private let fixture: Fixture
    private let alice: ClientRegistration

    init() throws {
        (fixture, alice) = try Fixture.enrolled()
    }

    @Test func `S1: a restart cannot change whose registration it is`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\n")
        let begun = try fixture.put("/rps/user", ["userId": "victim", "mobile": 1])
        let taken = try fixture.put(
            "/rps/user/\(begun.string("mpinId"))",
            ["userId": "mallory", "regOTT": begun.string("regOTT"), "activateCode": fixture.invite("mallory")])
        #expect(taken.status == 403)
        #expect(try fixture.share(begun).status == 401)
    }

    @Test func `S2: a handle never reveals another attempt`() throws {
        let mallory = try fixture.enroll("mallory")
        let number = "4241703"
        let stranger = try Login(mallory, pin: "9999", at: fixture).passTwo(at: fixture, wid: number)
        #expect(stranger.status == 200)
        let victim = try Login(alice, at: fixture).passTwo(at: fixture, wid: number)
        #expect(victim.status == 200)
        #expect(stranger.string("authOTT") != victim.string("authOTT"))
        let judged = try Login.redeem(stranger, at: fixture)
        #expect(judged.status == 401)
        #expect(judged.object["userId"] == nil)
    }

    @Test(arguments: ["1234", "9999"])
    func `S2: a stranger who names a number learns nothing about who approves it`(pin: String) throws {
        let mallory = try fixture.enroll("mallory")
        let waiting = try Waiting(at: fixture)
        let stranger = try Login(mallory, pin: pin, at: fixture).passTwo(at: fixture, wid: waiting.code)
        let victim = try fixture.approve(alice, waiting.code)
        #expect(victim.hold != nil)
        for answer in [try Login.redeem(stranger, at: fixture), try #require(fixture.bring(stranger).answer)] {
            #expect(400...499 ~= answer.status)
            #expect(!answer.text.contains("alice"))
            #expect(answer.headers["set-cookie"] == nil)
        }
        #expect(try waiting.enter(at: fixture).string("userId") == "alice")
    }

    @Test func `S3: a login that is not verified changes nothing for the session`() throws {
        let mallory = try fixture.enroll("mallory")
        let waiting = try Waiting(at: fixture)
        // Right, but never brought to the session; wrong; and of an unknown user.
        _ = try Login(mallory, at: fixture).passTwo(at: fixture, wid: waiting.code)
        #expect(try fixture.approve(mallory, pin: "9999", waiting.code).status == 401)
        let unknown = ClientRegistration(user: "x", mpinID: hex(Array("{\"userID\":\"x\"}".utf8)), token: alice.token)
        let second = try Login(unknown, permit: alice.permit(at: fixture), at: fixture)
            .passTwo(at: fixture, wid: waiting.code)
        #expect(fixture.bring(second).status == 401)
        #expect(try waiting.status(at: fixture) == "new")
        let device = try fixture.approve(alice, waiting.code)
        // A later one does not either.
        #expect(try fixture.approve(mallory, waiting.code).status == 412)
        #expect(try waiting.enter(at: fixture).string("userId") == "alice")
        #expect(device.status == 200)
    }

    @Test func `S3: an access number that was never issued logs no user in`() throws {
        let second = try Login(alice, at: fixture).passTwo(at: fixture, wid: "4241703")
        #expect(try Login.redeem(second, at: fixture).status == 412)
        let third = try Login(alice, at: fixture).passTwo(at: fixture, wid: "4241703")
        let body: [String: Any] = ["mpinResponse": ["authOTT": third.string("authOTT")]]
        #expect(try fixture.post("/rps/authenticate", body).status == 412)
        #expect(try Login.redeem(third, at: fixture).status == 408)
    }

    @Test func `S4: a failure presented again is not counted again`() throws {
        let second = try Login(alice, pin: "9999", at: fixture).passTwo(at: fixture)
        #expect(try Login.redeem(second, at: fixture).status == 401)
        for _ in 0..<5 { #expect(try Login.redeem(second, at: fixture).status == 408) }
        let next = try alice.login(pin: "9999", at: fixture)
        #expect(next.object["attemptsLeft"] as? Int == 1)
    }

    @Test func `S4: a source that makes identities up is turned away`() throws {
        let fixture = try Fixture(configuration: "failures_per_source = 4\n")
        let (alice, stranger) = (try fixture.enroll("alice"), try Fixture().enroll("stranger"))
        let permit = try alice.permit(at: fixture)
        let statuses = try (0..<6).map { _ in
            try Login(stranger, permit: permit, at: fixture).finish(at: fixture).status
        }
        #expect(statuses == [401, 401, 401, 401, 429, 429])
        let elsewhere = fixture.from(.user(7))
        #expect(try Login(stranger, permit: permit, at: elsewhere).finish(at: elsewhere).status == 401)
        fixture.clock.advance(2)
        #expect(try Login(stranger, permit: permit, at: fixture).finish(at: fixture).status == 401)
    }

    @Test func `S4: strangers of the same source do not shut the holder of a registration out`() throws {
        let fixture = try Fixture(configuration: "failures_per_source = 4\n")
        let users = try (1...3).map { try fixture.enroll("user\($0)") }
        for user in users.prefix(2) {
            #expect(try (0..<4).map { _ in try user.login(pin: "9999", at: fixture).status } == [401, 401, 410, 410])
        }
        let stranger = try Fixture().enroll("stranger")
        let permit = try users[2].permit(at: fixture)
        for _ in 0..<8 { _ = try Login(stranger, permit: permit, at: fixture).finish(at: fixture) }
        for _ in 0..<8 { _ = try fixture.put("/rps/user", ["userId": "x", "activateCode": "0000-0000-0000-0000"]) }
        #expect(try users[2].login(at: fixture).status == 200)
        #expect(try users[2].login(pin: "9999", at: fixture).object["attemptsLeft"] as? Int == 2)
    }

    @Test func `S4: nor of a registration that is on its way`() throws {
        let fixture = try Fixture(configuration: "failures_per_source = 4\n")
        let begun = try fixture.put("/rps/user", ["userId": "alice", "activateCode": fixture.invite("alice")])
        for _ in 0..<8 { _ = try fixture.put("/rps/user", ["userId": "x", "activateCode": "0000-0000-0000-0000"]) }
        let wrong = "/rps/signature/\(begun.string("mpinId"))?regOTT=\(String(repeating: "0", count: 32))"
        #expect(try fixture.get(wrong).status == 429)
        let alice = try ClientRegistration.finish("alice", begun, at: fixture)
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test(arguments: [true, false], [true, false])
    func `S4: junk costs a try and ends no login, named or not`(junkNamed: Bool, named: Bool) throws {
        let login = try Login(alice, at: fixture)
        var junk = login.body(named: junkNamed)
        junk["V"] = try hex(Login(fixture.enroll("mallory"), at: fixture).v)
        let answer = try fixture.post("/rps/pass2", junk)
        #expect(try Login.redeem(answer, at: fixture).object["attemptsLeft"] as? Int == 2)
        #expect(try login.finish(at: fixture, named: named).status == 200)
    }

    @Test func `S4: the M-Pin ID alone, from elsewhere, spoils no login`() throws {
        let login = try Login(alice, at: fixture)
        // A stranger answers without having asked.
        var junk = login.body(named: false)
        junk["V"] = try hex(Login(fixture.enroll("mallory"), at: fixture).v)
        #expect(try fixture.from(.user(7)).post("/rps/pass2", junk).status == 500)
        #expect(try login.finish(at: fixture, named: false).status == 200)
    }

    @Test(arguments: [true, false], [0, 1])
    func `S5: a login that overlaps a mistyped one succeeds, in either order`(named: Bool, first: Int) throws {
        let permit = try alice.permit(at: fixture)
        let logins = try ["1234", "9999"].map { try Login(alice, pin: $0, permit: permit, at: fixture) }
        let order = first == 0 ? [0, 1] : [1, 0]
        for index in order {
            #expect(try logins[index].finish(at: fixture, named: named).status == (index == 0 ? 200 : 401))
        }
    }

    @Test func `S6: a younger registration outlives an older one`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\nregistration_ttl = 60\n")
        let begun = try fixture.put("/rps/user", ["userId": "alice", "mobile": 1])
        fixture.clock.advance(59)
        let mpinID = begun.string("mpinId")
        let regOTT = begun.string("regOTT")
        let again = try fixture.put("/rps/user/\(mpinID)", ["userId": "alice", "regOTT": regOTT])
        #expect(again.string("mpinId") == mpinID)
        fixture.clock.advance(59)
        // Something else expires and is swept away.
        #expect(try fixture.put("/rps/user", ["userId": "bob", "mobile": 1]).status == 200)
        let last = try fixture.put(
            "/rps/user/\(mpinID)", ["userId": "alice", "regOTT": regOTT, "activateCode": fixture.invite("alice")])
        #expect(last.string("mpinId") == mpinID)
        #expect(
            try ClientRegistration.finish("alice", mpinID: mpinID, regOTT: regOTT, at: fixture).login(at: fixture)
                .status == 200)
    }

    @Test func `S6: a second login soon after another finds its pass 1`() throws {
        #expect(try alice.login(at: fixture).status == 200)
        fixture.clock.advance(14)
        let login = try Login(alice, at: fixture)
        fixture.clock.advance(2)
        _ = try Login(fixture.enroll("bob"), at: fixture)
        #expect(try login.finish(at: fixture, named: false).status == 200)
    }

    @Test func `S7: a wrong regOTT cancels nothing`() throws {
        let fixture = try Fixture()
        let begun = try fixture.put("/rps/user", ["userId": "alice", "activateCode": fixture.invite("alice")])
        let mpinID = begun.string("mpinId")
        let wrong = String(repeating: "0", count: 32)
        #expect(try fixture.get("/rps/signature/\(mpinID)?regOTT=\(wrong)").status == 400)
        #expect(try fixture.get("/rps/signature/\(mpinID)").status == 400)
        #expect(try fixture.put("/rps/user/\(mpinID)", ["userId": "alice", "regOTT": wrong]).status == 400)
        let alice = try ClientRegistration.finish("alice", mpinID: mpinID, regOTT: begun.string("regOTT"), at: fixture)
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `S8: a restart that is refused leaves the registration as it was`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\n")
        let begun = try fixture.put("/rps/user", ["userId": "alice", "mobile": 1])
        let mpinID = begun.string("mpinId")
        let regOTT = begun.string("regOTT")
        let refused = try fixture.put(
            "/rps/user/\(mpinID)", ["userId": "alice", "regOTT": regOTT, "activateCode": "0000-0000-0000-0000"])
        #expect(refused.status == 403)
        let good = try fixture.put(
            "/rps/user/\(mpinID)", ["userId": "alice", "regOTT": regOTT, "activateCode": fixture.invite("alice")])
        #expect(good.string("mpinId") == mpinID)
        #expect(good.string("regOTT") == regOTT)
        #expect(good.object["active"] as? Bool == true)
    }

    @Test func `a restart keeps an activation, and begins an expired registration anew`() throws {
        let fixture = try Fixture()
        let begun = try fixture.put("/rps/user", ["userId": "alice", "activateCode": fixture.invite("alice")])
        let mpinID = begun.string("mpinId")
        let again = try fixture.put("/rps/user/\(mpinID)", ["userId": "alice", "regOTT": begun.string("regOTT")])
        #expect(again.object["active"] as? Bool == true)
        let alice = try ClientRegistration.finish("alice", begun, at: fixture)
        let over: [String: Any] = ["userId": "alice", "regOTT": begun.string("regOTT")]
        #expect(try fixture.put("/rps/user/\(mpinID)", over).status == 403)
        #expect(try alice.login(at: fixture).status == 200)
        let anew = try fixture.put(
            "/rps/user/\(mpinID)", over.merging(["activateCode": try fixture.invite("alice")]) { $1 })
        #expect(anew.status == 200)
        #expect(anew.string("mpinId") != mpinID)
    }
}
