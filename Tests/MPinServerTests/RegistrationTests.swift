// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

@Suite struct RegistrationTests {
    @Test func `an invited user registers and logs in`() throws {
        let fixture = try Fixture()
        let alice = try fixture.enroll("alice")
        let answer = try alice.login(at: fixture)
        #expect(answer.status == 200)
        #expect(answer.string("userId") == "alice")
        #expect(answer.string("serverId").utf8.count == 64)
        let settings = try fixture.get("/rps/clientSettings")
        #expect(settings.string("serverId") == answer.string("serverId"))
    }

    @Test(arguments: ["DOM\\bob", "zoë@example.org", "emoji 😀", "quote\"d", "用户"])
    func `any user ID logs in as itself`(_ user: String) throws {
        let fixture = try Fixture()
        let answer = try fixture.enroll(user).login(at: fixture)
        #expect(answer.status == 200)
        #expect(answer.string("userId") == user)
    }

    @Test func `no code, no registration`() throws {
        let fixture = try Fixture()
        #expect(try fixture.put("/rps/user", ["userId": "alice", "mobile": 1]).status == 403)
        #expect(try fixture.put("/rps/user", ["userId": "alice", "mobile": 1, "activateCode": ""]).status == 403)
    }

    @Test func `a code may be typed in any case and without dashes`() throws {
        let fixture = try Fixture()
        let typed = try fixture.invite("alice").lowercased().replacingOccurrences(of: "-", with: "")
            .replacingOccurrences(of: "0", with: "o").replacingOccurrences(of: "1", with: "l")
        #expect(try ClientRegistration.register("alice", code: typed, at: fixture).login(at: fixture).status == 200)
    }

    @Test func `a code works once`() throws {
        let fixture = try Fixture()
        let code = try fixture.invite("alice")
        let body: [String: Any] = ["userId": "alice", "mobile": 1, "activateCode": code]
        #expect(try ClientRegistration.register("alice", code: code, at: fixture).login(at: fixture).status == 200)
        #expect(try fixture.put("/rps/user", body).status == 403)
        try fixture.restart()
        #expect(try fixture.put("/rps/user", body).status == 403)
    }

    @Test func `a code works for its user alone`() throws {
        let fixture = try Fixture()
        let code = try fixture.invite("alice")
        #expect(try fixture.put("/rps/user", ["userId": "mallory", "activateCode": code]).status == 403)
        #expect(try fixture.put("/rps/user", ["userId": "Alice", "activateCode": code]).status == 403)
        #expect(try fixture.put("/rps/user", ["userId": "alice", "activateCode": code]).status == 200)
    }

    @Test func `a code expires`() throws {
        let fixture = try Fixture()
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

    @Test func `one invitation at a time makes one registration, however many come at once`() async throws {
        let fixture = try Fixture()
        let code = try fixture.invite("alice")
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try fixture.put("/rps/user", ["userId": "alice", "mobile": 1, "activateCode": code])
                }
            }
            return try await group.reduce(into: [Answer]()) { $0.append($1) }
        }
        // Each takes the place of the one before it.
        let usable = try answers.filter {
            try fixture.get("/rps/signature/\($0.string("mpinId"))?regOTT=\($0.string("regOTT"))").status == 200
        }
        #expect(usable.count == 1)
    }

    @Test func `an open server activates at once if its administrator configures that`() throws {
        let fixture = try Fixture(configuration: "forceActivate = yes # experiment\n")
        let begun = try fixture.put("/rps/user", ["userId": "kate", "mobile": 1])
        #expect(begun.object["active"] as? Bool == true)
        let kate = try ClientRegistration.finish(
            "kate", mpinID: begun.string("mpinId"), regOTT: begun.string("regOTT"), at: fixture)
        #expect(try kate.login(at: fixture).status == 200)
    }

    @Test func `a held registration waits for its code`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\n")
        let begun = try fixture.put("/rps/user", ["userId": "alice", "mobile": 1])
        #expect(begun.status == 200)
        #expect(begun.object["active"] as? Bool == false)
        let path = "/rps/signature/\(begun.string("mpinId"))?regOTT=\(begun.string("regOTT"))"
        let early = try fixture.get(path)
        #expect(early.status == 401)
        #expect(early.headers["www-authenticate"] == "Authenticate")
        let restarted = try fixture.put(
            "/rps/user/\(begun.string("mpinId"))",
            ["userId": "alice", "regOTT": begun.string("regOTT"), "activateCode": fixture.invite("alice")])
        #expect(restarted.object["active"] as? Bool == true)
        #expect(try fixture.get(path).status == 200)
    }

    @Test func `the first share comes again for a minute, then never`() throws {
        let fixture = try Fixture()
        let begun = try fixture.put("/rps/user", ["userId": "alice", "activateCode": fixture.invite("alice")])
        let path = "/rps/signature/\(begun.string("mpinId"))?regOTT=\(begun.string("regOTT"))"
        #expect(try fixture.get(path).status == 200)
        fixture.clock.advance(59)
        try fixture.restart()
        #expect(try fixture.get(path).status == 200)
        fixture.clock.advance(1)
        #expect(try fixture.get(path).status == 400)
    }

    @Test func `an unfinished registration expires`() throws {
        let fixture = try Fixture(configuration: "registration_ttl = 60\n")
        let begun = try fixture.put("/rps/user", ["userId": "alice", "activateCode": fixture.invite("alice")])
        fixture.clock.advance(60)
        let path = "/rps/signature/\(begun.string("mpinId"))?regOTT=\(begun.string("regOTT"))"
        #expect(try fixture.get(path).status == 400)
    }

    @Test func `the second authority checks signature and time`() throws {
        let fixture = try Fixture()
        let begun = try fixture.put("/rps/user", ["userId": "alice", "activateCode": fixture.invite("alice")])
        let first = try fixture.get("/rps/signature/\(begun.string("mpinId"))?regOTT=\(begun.string("regOTT"))")
        let params = first.string("params")
        #expect(try fixture.get("/dta/clientSecret?\(params)").status == 200)
        let forged = params.replacingOccurrences(of: "signature=", with: "signature=00")
        #expect([401, 403].contains(try fixture.get("/dta/clientSecret?\(forged)").status))
        let other = String(repeating: "ab", count: 32)
        let range = try #require(params.range(of: "hash_mpin_id="))
        let moved = params.replacingCharacters(
            in: range.upperBound..<params.index(range.upperBound, offsetBy: 64), with: other)
        #expect(try fixture.get("/dta/clientSecret?\(moved)").status == 401)
        fixture.clock.advance(61)
        #expect(try fixture.get("/dta/clientSecret?\(params)").status == 408)
    }

    @Test func `names that cannot be distinguished or shown are refused`() throws {
        let fixture = try Fixture()
        for name in [
            "", " alice", "alice ", "a\nb", "a\u{200B}b", "\u{202E}ecila", String(repeating: "x", count: 257),
            "alice\u{E000}", "alice\u{3164}", "alice\u{FE0F}", "alice\u{2800}", "alice\u{1D173}",
        ] {
            #expect(try fixture.put("/rps/user", ["userId": name, "activateCode": "x"]).status == 400)
            #expect(throws: ServerError.self) { try fixture.invite(name) }
        }
    }
}
