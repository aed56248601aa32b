// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

@Suite struct RegistrationTests {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    @Test func `an invited user registers and logs in`() throws {
        let alice = try fixture.enroll("alice")
        let answer = try alice.login(at: fixture)
        #expect(answer.status == 200)
        #expect(answer.string("userId") == "alice")
        #expect(answer.string("serverId").utf8.count == 64)
        // A session is only for browsers that wait.
        #expect(answer.headers["set-cookie"] == nil && answer.object["logoutData"] == nil)
        let settings = try fixture.get("/rps/clientSettings")
        #expect(settings.string("serverId") == answer.string("serverId"))
    }

    @Test func `no code, no registration`() throws {
        #expect(try fixture.put("/rps/user", ["userId": "alice", "mobile": 1]).status == 403)
        #expect(try fixture.put("/rps/user", ["userId": "alice", "mobile": 1, "activateCode": ""]).status == 403)
    }

    @Test func `a code may be typed in any case and without dashes`() throws {
        let typed = try fixture.invite("alice").lowercased().replacingOccurrences(of: "-", with: "")
            .replacingOccurrences(of: "0", with: "o").replacingOccurrences(of: "1", with: "l")
        #expect(try ClientRegistration.register("alice", code: typed, at: fixture).login(at: fixture).status == 200)
    }

    @Test func `a code expires`() throws {
        let code = try fixture.invite("alice", seconds: 60)
        fixture.clock.advance(60)
        #expect(try fixture.put("/rps/user", ["userId": "alice", "activateCode": code]).status == 403)
    }

    @Test func `made-up codes are refused, and soon not even looked up`() throws {
        let fixture = try Fixture(configuration: "failures_per_source = 5\n")
        let code = try fixture.invite("alice")
        for _ in 0..<5 {
            let answer = try fixture.put("/rps/user", ["userId": "alice", "activateCode": "0000-0000-0000-0000"])
            #expect(answer.status == 403)
        }
        #expect(try fixture.put("/rps/user", ["userId": "alice", "activateCode": code]).status == 429)
        let elsewhere = fixture.from(.address("192.0.2.1"))
        #expect(try elsewhere.put("/rps/user", ["userId": "alice", "activateCode": code]).status == 200)
    }

    @Test func `a held registration waits for its code`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\n")
        let begun = try fixture.put("/rps/user", ["userId": "alice", "mobile": 1])
        #expect(begun.status == 200)
        #expect(begun.object["active"] as? Bool == false)
        let early = try fixture.share(begun)
        #expect(early.status == 401)
        #expect(early.headers["www-authenticate"] == "Authenticate")
        let restarted = try fixture.put(
            "/rps/user/\(begun.string("mpinId"))",
            ["userId": "alice", "regOTT": begun.string("regOTT"), "activateCode": fixture.invite("alice")])
        #expect(restarted.object["active"] as? Bool == true)
        #expect(try fixture.share(begun).status == 200)
    }

    @Test func `an unfinished registration expires`() throws {
        let fixture = try Fixture(configuration: "registration_ttl = 60\n")
        let begun = try fixture.put("/rps/user", ["userId": "alice", "activateCode": fixture.invite("alice")])
        fixture.clock.advance(60)
        #expect(try fixture.share(begun).status == 400)
    }

    @Test func `names that cannot be distinguished or shown are refused`() throws {
        for name in [
            "", " alice", "alice ", "a\nb", "carol smith", "a\u{00A0}b", "a\u{200B}b", "\u{202E}ecila",
            String(repeating: "x", count: 257),
            "alice\u{E000}", "alice\u{3164}", "alice\u{FE0F}", "alice\u{2800}", "alice\u{1D173}",
        ] {
            #expect(try fixture.put("/rps/user", ["userId": name, "activateCode": "x"]).status == 400)
            #expect(throws: ServerError.self) { try fixture.invite(name) }
        }
    }

    @Test func `a canceled invitation enrolls no device, and ends what it has begun`() throws {
        let code = try fixture.invite("alice"), other = try fixture.invite("bob")
        let begun = try fixture.put("/rps/user", ["userId": "alice", "activateCode": code])
        // Carol has none, so nothing changes.
        #expect(throws: ServerError.self) { try fixture.administrator.cancelInvitations(of: ["alice", "carol"]) }
        #expect(try fixture.administrator.pendingInvitations().map(\.user) == ["alice", "bob"])
        #expect(try fixture.administrator.cancelInvitations(of: ["alice"]) == [1])
        #expect(try fixture.share(begun).status != 200)
        #expect(try fixture.put("/rps/user", ["userId": "alice", "activateCode": code]).status == 403)
        #expect(try fixture.administrator.pendingInvitations().map(\.user) == ["bob"])
        #expect(try fixture.put("/rps/user", ["userId": "bob", "activateCode": other]).status == 200)
    }
}
