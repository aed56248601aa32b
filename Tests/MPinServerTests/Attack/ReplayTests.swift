// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import MPinServer
import MPinServerStorage
import Testing

/// Accepted messages, sent again by an observer: later, elsewhere or for another purpose.
@Suite struct ReplayTests {
    private let fixture: Fixture
    private let alice: ClientRegistration

    init() throws {
        (fixture, alice) = try Fixture.enrolled()
    }

    @Test func `a pass 1 sent again gets another challenge, which the old answer does not fit`() throws {
        let permit = try alice.permit(at: fixture)
        let session = try ClientSession(
            identity: alice.identity, token: secret(alice.token), factor: factor("1234"), permit: secret(permit.bytes),
            day: #require(PermitDay(permit.day)))
        let body: [String: Any] = ["mpin_id": alice.mpinID, "U": hex(session.u), "UT": hex(session.ut ?? [])]
        let first = try fixture.post("/rps/pass1", body)
        let v = hex(try session.answer(challenge: unhex(first.string("y"))))
        let again = try fixture.post("/rps/pass1", body)
        #expect(again.string("y") != first.string("y"))
        #expect(again.string("passId") != first.string("passId"))
        func answer(_ passID: String) throws -> Answer {
            try fixture.post("/rps/pass2", ["mpin_id": alice.mpinID, "V": v, "WID": "0", "passId": passID])
        }
        #expect(try Login.redeem(answer(first.string("passId")), at: fixture).status == 200)
        #expect(try Login.redeem(answer(again.string("passId")), at: fixture).status == 401)
        #expect(try answer(first.string("passId")).status == 500)
    }

    @Test(arguments: [true, false], ["1234", "9999"])
    func `S5: an answer is good once, with its name or without, and a wrong one counts once`(
        named: Bool, pin: String
    ) throws {
        let login = try Login(alice, pin: pin, at: fixture)
        let first = try login.passTwo(at: fixture, named: named)
        #expect(first.status == 200)
        for named in [true, false] {
            let replay = try login.passTwo(at: fixture, named: named)
            #expect(replay.status == 500 && replay.object["authOTT"] == nil)
            #expect(try login.passTwo(at: fixture.from(.user(7)), named: named).status == 500)
        }
        #expect(try Login.redeem(first, at: fixture).status == (pin == "1234" ? 200 : 401))
        #expect(try fixture.administrator.user("alice").devices[0].failures == (pin == "1234" ? 0 : 1))
    }

    @Test func `an answer replayed beside a new login of its owner gets in nowhere`() throws {
        let old = try Login(alice, at: fixture)
        #expect(try old.finish(at: fixture).status == 200)
        let new = try Login(alice, at: fixture)
        // If y were known beforehand, UT = -y (A + AT) would make any V pass.
        #expect(new.answer.string("y") != old.answer.string("y"))
        var body = old.body()
        body["passId"] = new.passID
        #expect(try Login.redeem(fixture.post("/rps/pass2", body), at: fixture).status == 401)
    }

    @Test func `a handle is used up wherever it was shown first`() throws {
        let old = try fixture.enroll()
        let paths = ["/mpinAuthenticate", "/mpinRevoke", "/rps/authenticate"]
        for first in paths {
            let second = try Login(alice, at: fixture).passTwo(at: fixture)
            let body: [String: Any] = ["mpinResponse": ["authOTT": second.string("authOTT")], "revoke": old.mpinID]
            #expect([200, 412].contains(try fixture.post(first, body).status))
            for path in paths {
                #expect([408, 412].contains(try fixture.post(path, body).status), "\(first), then \(path)")
            }
        }
    }

    @Test func `a handle that came too late revokes nothing`() throws {
        let second = try Login(alice, at: fixture).passTwo(at: fixture)
        fixture.clock.advance(60)
        let body: [String: Any] = ["mpinResponse": ["authOTT": second.string("authOTT")], "revoke": alice.mpinID]
        #expect(try fixture.post("/mpinRevoke", body).status == 408)
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `a result does not outlive what happened after it`() throws {
        let permit = try alice.permit(at: fixture)
        let logins = try (0..<4).map { try Login(alice, pin: $0 == 0 ? "1234" : "9999", permit: permit, at: fixture) }
        let good = try logins[0].passTwo(at: fixture)
        for wrong in logins.dropFirst() { #expect(try wrong.passTwo(at: fixture).status == 200) }
        // Blocked meanwhile, and then revoked meanwhile.
        #expect(try Login.redeem(good, at: fixture).status == 410)
        #expect(try fixture.administrator.unblock("alice") == 1)
        let next = try Login(alice, permit: permit, at: fixture).passTwo(at: fixture)
        _ = try fixture.administrator.revoke("alice", reason: nil)
        #expect(try Login.redeem(next, at: fixture).status == 403)
    }

    @Test func `a one-time token starts nothing after its registration was finished`() throws {
        let fixture = try Fixture()
        let begun = try fixture.put("/rps/user", ["userId": "alice", "activateCode": fixture.invite("alice")])
        let mpinID = begun.string("mpinId")
        let regOTT = begun.string("regOTT")
        let path = "/rps/signature/\(mpinID)?regOTT=\(regOTT)"
        #expect(try fixture.get(path).status == 200)
        // The grace is for an answer that was lost, and ends however often it is used.
        for seconds: Int64 in [20, 39, 1] {
            fixture.clock.advance(seconds)
            try fixture.restart()
            #expect(try fixture.get(path).status == (fixture.clock.wall < ManualClock.noon + 60 ? 200 : 400))
        }
        let again = try fixture.put(
            "/rps/user/\(mpinID)", ["userId": "alice", "regOTT": regOTT, "activateCode": fixture.invite("alice")])
        #expect(again.string("mpinId") != mpinID)
        #expect(try fixture.get("/rps/signature/\(again.string("mpinId"))?regOTT=\(regOTT)").status == 400)
        #expect(try fixture.get(path).status == 400)
    }

    @Test func `a code that a restart used serves no other user, and a revocation uses up a code`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\n")
        let code = try fixture.invite("alice")
        let other = try fixture.invite("alice")
        let begun = try fixture.put("/rps/user", ["userId": "alice", "mobile": 1])
        let body: [String: Any] = ["userId": "alice", "regOTT": begun.string("regOTT"), "activateCode": code]
        #expect(try fixture.put("/rps/user/\(begun.string("mpinId"))", body).status == 200)
        #expect(try fixture.put("/rps/user", ["userId": "bob", "activateCode": code]).status == 403)
        // The one it was made for may begin once more, as long as she has not logged in; what was begun is void then.
        #expect(try fixture.put("/rps/user", ["userId": "alice", "activateCode": code]).status == 200)
        #expect(try fixture.share(begun).status == 403)
        _ = try fixture.administrator.revoke("alice", reason: nil)
        _ = try fixture.administrator.restore("alice")
        try fixture.restart()
        #expect(try fixture.put("/rps/user", ["userId": "alice", "activateCode": other]).status == 403)
    }
}
