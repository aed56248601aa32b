import Foundation
import MPinServer
import Testing

/// Passes 2 that ask not to be the last try: `keepLastTry`.
@Suite struct KeepLastTryTests {
    private func fixture(_ limit: Int) throws -> Fixture {
        try Fixture(configuration: "max_invalid_login_attempts = \(limit)\n")
    }

    @Test func `the settings offer it`() throws {
        let settings = try Fixture().get("/rps/clientSettings")
        #expect((settings.object["extensions"] as? [String])?.contains("keepLastTry") == true)
    }

    @Test(arguments: [1, 2, 3], [true, false])
    func `flagged attempts alone never block`(limit: Int, named: Bool) throws {
        let fixture = try fixture(limit)
        let alice = try fixture.enrol()
        for number in 0..<limit + 3 {
            let login = try Login(alice, pin: "9999", at: fixture)
            let second = try login.keeping(at: fixture, named: named)
            if number < limit - 1 {
                #expect(second.status == 200)
                let left = try Login.redeem(second, at: fixture).object["attemptsLeft"] as? Int
                #expect(left == limit - number - 1)
            } else {
                #expect(second.status == 423)
                #expect(second.object["attemptsLeft"] as? Int == 1)
                #expect(second.object["authOTT"] == nil)
                #expect(second.object["status"] as? Int == 423)
            }
        }
        #expect(try fixture.administrator.user("alice").devices[0].failures == limit - 1)
        // The last try is still there, and a right PIN with it.
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test(arguments: [true, false])
    func `what is refused uses nothing up`(named: Bool) throws {
        let fixture = try fixture(1)
        let login = try Login(fixture.enrol(), at: fixture)
        for _ in 0..<3 { #expect(try login.keeping(at: fixture, named: named).status == 423) }
        #expect(try fixture.reservations() == 0)
        // The same answer without the flag.
        #expect(try login.finish(at: fixture, named: named).status == 200)
        #expect(try fixture.auditText().contains("wrong-pin") == false)
    }

    @Test(arguments: [2, 3])
    func `a right PIN with the flag gets in where tries are left`(limit: Int) throws {
        let fixture = try fixture(limit)
        let alice = try fixture.enrol()
        for _ in 0..<3 {
            for _ in 0..<limit - 2 { #expect(try alice.login(pin: "9999", at: fixture).status == 401) }
            let second = try Login(alice, at: fixture).keeping(at: fixture)
            #expect(try Login.redeem(second, at: fixture).status == 200)
            #expect(try fixture.administrator.user("alice").devices[0].failures == 0)
        }
        for _ in 0..<limit - 1 { #expect(try alice.login(pin: "9999", at: fixture).status == 401) }
        // With a single try left even the right one is not judged.
        #expect(try Login(alice, at: fixture).keeping(at: fixture).status == 423)
    }

    @Test func `right ones at once all get in, with the flag as well`() throws {
        let fixture = try fixture(3)
        let alice = try fixture.enrol()
        let permit = try alice.permit(at: fixture)
        let logins = try (0..<12).map { _ in try Login(alice, permit: permit, at: fixture) }
        let statuses = try onThreads(12) { try logins[$0].keeping(at: fixture).status }
        #expect(statuses.allSatisfy { $0 == 200 }, "\(statuses)")
        #expect(try fixture.administrator.user("alice").devices[0].failures == 0)
    }

    @Test func `a block is told as one, with the flag and without`() throws {
        let fixture = try fixture(2)
        let alice = try fixture.enrol()
        for _ in 0..<2 { _ = try alice.login(pin: "9999", at: fixture) }
        let second = try Login(alice, at: fixture).keeping(at: fixture)
        #expect(try Login.redeem(second, at: fixture).status == 410)
    }

    @Test(arguments: [1, 2, 3])
    func `flagged ones at once leave one`(limit: Int) throws {
        let fixture = try fixture(limit)
        let alice = try fixture.enrol()
        let permit = try alice.permit(at: fixture)
        let logins = try (0..<20).map { try Login(alice, pin: String(2_000 + $0), permit: permit, at: fixture) }
        let statuses = try onThreads(20) { try logins[$0].keeping(at: fixture).status }
        #expect(statuses.filter { $0 == 200 }.count == limit - 1)
        #expect(statuses.filter { $0 == 423 }.count == 21 - limit)
        #expect(try fixture.administrator.user("alice").devices[0].failures == limit - 1)
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `a flagged one waits for two others that are being verified, as all do`() throws {
        let fixture = try fixture(3)
        let alice = try fixture.enrol()
        try fixture.reserve("alice", 2)
        let start = ContinuousClock.now
        let answer = try Login(alice, at: fixture).keeping(at: fixture)
        // They may turn out to be right, and then it is no last try.
        #expect(answer.status == 503)
        #expect(ContinuousClock.now - start >= .seconds(1.9))
        try fixture.reserve("bob", 1)
        #expect(try fixture.reservations() == 2)
    }

    @Test func `flagged and unflagged ones at once: the flagged ones never take the last`() throws {
        for _ in 0..<5 {
            let fixture = try fixture(3)
            let alice = try fixture.enrol()
            let permit = try alice.permit(at: fixture)
            let logins = try (0..<10).map { try Login(alice, pin: String(2_000 + $0), permit: permit, at: fixture) }
            let statuses = try onThreads(10) { number in
                // Two without the flag; all others leave room.
                number < 2
                    ? try logins[number].finish(at: fixture).status : try logins[number].keeping(at: fixture).status
            }
            let failures = try fixture.administrator.user("alice").devices[0].failures
            let flagged = statuses.dropFirst(2)
            #expect(flagged.allSatisfy { [200, 423].contains($0) })
            // The third was one without the flag; flagged ones that come after it hear of the block like all others.
            #expect(failures <= 3)
            if failures < 3 { #expect(flagged.filter { $0 == 200 }.count <= 2) }
            #expect(failures == 3 || statuses.prefix(2) == [401, 401])
        }
    }

    @Test func `flagged ones fill half of the longer limit, and leave the other half`() throws {
        let fixture = try Fixture(configuration: "max_recent_wrong_attempts = 10\n")
        let alice = try fixture.enrol()
        let flagged = { (pin: String) throws -> Answer in
            try Login(alice, pin: pin, at: fixture).keeping(at: fixture)
        }
        // Somebody guesses as often as he may, for days, and the owner logs in now and then.
        for day in 0..<8 {
            for _ in 0..<3 {
                let status = try flagged("9999").status
                if day >= 3 { #expect(status == 423) }
            }
            #expect(try alice.login(at: fixture).status == 200)
            fixture.clock.advance(86_400)
        }
        #expect(try fixture.administrator.user("alice").devices[0].recentWrong == 5)
        // The right PIN is not judged with the flag either, nor is it the last try yet.
        let kept = try flagged("1234")
        #expect(kept.status == 423 && kept.object["attemptsLeft"] as? Int == 3)
        // The owner may slip as often again, and that is all there is for anybody.
        for pin in ["9999", "9999", "1234", "9999", "9999", "1234"] {
            #expect(try alice.login(pin: pin, at: fixture).status == (pin == "1234" ? 200 : 401))
        }
        #expect(try flagged("1234").object["attemptsLeft"] as? Int == 1)
        #expect(try alice.login(pin: "9999", at: fixture).status == 410)
        #expect(try flagged("1234").status == 200)
        #expect(try alice.login(at: fixture).status == 410)
    }

    @Test func `flagged ones at once fill no more than that half`() throws {
        let fixture = try Fixture(configuration: "max_invalid_login_attempts = 50\nmax_recent_wrong_attempts = 4\n")
        let alice = try fixture.enrol()
        let permit = try alice.permit(at: fixture)
        let logins = try (0..<20).map { try Login(alice, pin: String(2_000 + $0), permit: permit, at: fixture) }
        let statuses = try onThreads(20) { try logins[$0].keeping(at: fixture).status }
        #expect(statuses.filter { $0 == 200 }.count == 2, "\(statuses)")
        #expect(statuses.allSatisfy { [200, 423, 503].contains($0) }, "\(statuses)")
        for pin in ["9999", "1234"] {
            #expect(try alice.login(pin: pin, at: fixture).status == (pin == "1234" ? 200 : 401))
        }
    }

    @Test func `who is unknown, or not finished, is answered as without the flag`() throws {
        let fixture = try Fixture(configuration: "max_invalid_login_attempts = 1\nhold_unverified = yes\n")
        let alice = try fixture.enrol()
        let begun = try fixture.put("/rps/user", ["userId": "carol", "mobile": 1])
        for mpinID in [begun.string("mpinId"), "7b7d"] {
            let permit = try alice.permit(at: fixture)
            let other = Enrolled(user: "carol", mpinID: mpinID, token: alice.token)
            for flagged in [true, false] {
                let login = try Login(other, permit: permit, at: fixture)
                let second = flagged ? try login.keeping(at: fixture) : try login.passTwo(at: fixture)
                #expect(second.status == 200)
                #expect(try Login.redeem(second, at: fixture).status == 401)
            }
        }
    }
}

extension Login {
    /// Sends pass 2 with the flag.
    func keeping(at peer: some Peer, named: Bool = true) throws -> Answer {
        var body = body(named: named)
        body["keepLastTry"] = true
        return try peer.post("/rps/pass2", body)
    }
}
