// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// Attackers who guess numbers, codes and handles.
@Suite struct GuessLimitTests {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    private static let few = "failures_per_source = 4\n"

    /// A number without a waiting session.
    private func unknown(_ index: Int) -> String { String(2_000_000 + index) }

    @Test func `unknown numbers are counted for their source, and for no PIN`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: Self.few)
        let permit = try alice.permit(at: fixture)
        let waiting = try Waiting(at: fixture)
        for index in 0..<4 {
            let second = try Login(alice, permit: permit, at: fixture).passTwo(at: fixture, wid: unknown(index))
            #expect(second.status == 200)
            #expect(fixture.bring(second).status == 412)
        }
        let late = try Login(alice, permit: permit, at: fixture)
        #expect(try late.passTwo(at: fixture, wid: waiting.code).status == 429)
        #expect(try fixture.administrator.user("alice").devices[0].failures == 0)
        // The proof still works without a number: nothing was used up.
        #expect(try late.finish(at: fixture).status == 200)
        let elsewhere = try fixture.approve(alice, waiting.code, from: .user(7))
        #expect(elsewhere.hold != nil)
        fixture.clock.advance(2)
        #expect(try Login(alice, permit: permit, at: fixture).passTwo(at: fixture, wid: unknown(9)).status == 200)
    }

    @Test
    func `the last wrong PIN blocks with an unknown number too, and only the right PIN learns of a wrong number`()
        throws
    {
        let alice = try fixture.enroll()
        #expect(try fixture.approve(alice, unknown(0)).status == 412)
        let answers = try (1...3).map { try #require(fixture.approve(alice, pin: "9999", unknown($0)).answer) }
        #expect(answers.map(\.status) == [401, 401, 410])
        #expect(answers.map { $0.object["attemptsLeft"] as? Int } == [2, 1, 0])
        #expect(try fixture.administrator.user("alice").state == .blocked)
        let waiting = try Waiting(at: fixture)
        for code in [unknown(4), waiting.code] {
            let refused = try #require(fixture.approve(alice, code).answer)
            #expect(refused.status == 410 && refused.object["attemptsLeft"] as? Int == 0)
        }
        #expect(try waiting.status(at: fixture) == "new")
    }

    @Test func `a wrong PIN is reported as one wherever its result is presented`() throws {
        let alice = try fixture.enroll()
        let ordinary = try Login(alice, pin: "9999", at: fixture).passTwo(at: fixture)
        #expect(fixture.bring(ordinary).status == 401)
        let numbered = try Login(alice, pin: "9999", at: fixture).passTwo(at: fixture, wid: unknown(0))
        #expect(try Login.redeem(numbered, at: fixture).status == 401)
        let revoking = try Login(alice, pin: "9999", at: fixture).passTwo(at: fixture, wid: unknown(0))
        let revoke: [String: Any] = ["mpinResponse": ["authOTT": revoking.string("authOTT")], "revoke": alice.mpinID]
        #expect(try fixture.post("/mpinRevoke", revoke).status == 410)
    }

    @Test func `asking about unknown codes counts as well`() throws {
        let fixture = try Fixture(configuration: Self.few)
        let waiting = try Waiting(at: fixture)
        for index in 0..<4 {
            let answer = try fixture.post("/rps/codeStatus", ["status": "wid", "wid": unknown(index)])
            #expect(answer.object as? [String: String] == ["Status": "OK"])
        }
        #expect(try fixture.post("/rps/codeStatus", ["status": "wid", "wid": waiting.code]).status == 429)
        #expect(
            try fixture.from(.user(7)).post("/rps/codeStatus", ["status": "wid", "wid": waiting.code]).object["appName"]
                != nil)
    }

    @Test func `numbers that came too late count`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "failures_per_source = 4\naccess_number_ttl = 10\n")
        let sessions = try (0..<4).map { _ in try Waiting(at: fixture) }
        let seconds = try sessions.map { try Login(alice, at: fixture).passTwo(at: fixture, wid: $0.code) }
        fixture.clock.advance(10)
        for second in seconds { #expect(fixture.bring(second).status == 412) }
        let open = try Waiting(at: fixture)
        #expect(try Login(alice, at: fixture).passTwo(at: fixture, wid: open.code).status == 429)
    }

    @Test func `polls with unknown handles are limited, and those of a session that waits are not`() throws {
        let fixture = try Fixture(configuration: Self.few)
        let waiting = try Waiting(at: fixture)
        let unknown = ["webOTT": String(repeating: "0", count: 32)]
        for _ in 0..<4 {
            let answer = try fixture.post("/rps/access", unknown)
            #expect(answer.status == 200)
            #expect(answer.string("status") == "expired")
        }
        #expect(try fixture.post("/rps/access", unknown).status == 429)
        #expect(try fixture.post("/rps/accessnumber", unknown).status == 429)
        for _ in 0..<20 { #expect(try waiting.status(at: fixture) == "new") }
    }

    @Test func `a source opens only so many sessions`() throws {
        let fixture = try Fixture(configuration: "failures_per_source = 3\n")
        for link in [true, false, true] { _ = try Waiting(at: fixture, link: link) }
        let answer = try fixture.post("/rps/getAccessNumber", [UInt8]())
        #expect(answer.status == 429)
        #expect(answer.headers["retry-after"] != nil)
        _ = try Waiting(at: fixture.from(.user(7)))
        let secret = try fixture.administrator.addHost("gate")
        _ = try Waiting(at: fixture.with(["authorization": "Bearer \(secret)"]))
        fixture.clock.advance(2)
        _ = try Waiting(at: fixture)
    }

    @Test func `secrets of hosts are guessed only so often from a source`() throws {
        let fixture = try Fixture(configuration: Self.few)
        let secret = try fixture.administrator.addHost("gate")
        let guess = fixture.with(["authorization": "Bearer " + String(repeating: "0", count: 64)])
        let statuses = try (0..<6).map { _ in try guess.post("/rps/getAccessNumber", [UInt8]()).status }
        #expect(statuses == [401, 401, 401, 401, 429, 429])
        // A secret that is right is served all the same.
        _ = try Waiting(at: fixture.with(["authorization": "Bearer \(secret)"]))
    }

    @Test func `only so many sessions wait, of which a network gets an eighth, and known hosts keep a tenth`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "failures_per_source = 100000\n")
        let first = try Waiting(at: fixture)
        let counts = try (1...8).map { network in
            var count = 0
            let ask = { () throws in
                let source = RequestSource.address("2001:db8:\(network):\(count % 256)::/64")
                return try fixture.from(source).post("/rps/getQrUrl", [UInt8]()).status
            }
            while try ask() == 200 { count += 1 }
            return count
        }
        #expect(counts == Array(repeating: 2_048, count: 7) + [16_384 - 1_638 - 1 - 7 * 2_048])
        #expect(try fixture.post("/rps/getAccessNumber", [UInt8]()).status == 503)
        let secret = try fixture.administrator.addHost("gate")
        _ = try Waiting(at: fixture.with(["authorization": "Bearer \(secret)"]))
        let device = try fixture.approve(alice, first.code)
        #expect(try first.enter(at: fixture).status == 200)
        #expect(device.status == 200)
        fixture.clock.advance(180)
        _ = try Waiting(at: fixture)
    }

    @Test(arguments: [
        "", "[]", "{}", "{\"webOTT\":1}", "{\"webOTT\":\"zz\"}", "{\"webOTT\":\"\"}", "{\"webOTT\":null}",
        "{\"webOTT\":\"0\"}",
    ])
    func `invalid polls are refused`(body: String) throws {
        #expect(try fixture.post("/rps/access", Array(body.utf8)).status == 400)
        #expect(try fixture.post("/rps/accessnumber", Array(body.utf8)).status == 400)
    }

    @Test func `junk logins against another user's number sign no user in and charge only their sender`() throws {
        let alice = try fixture.enroll("alice")
        let mallory = try fixture.enroll("mallory")
        let waiting = try Waiting(at: fixture)
        let stranger = fixture.from(.user(7))
        var handles: [Answer] = []
        for _ in 0..<2 {
            let second = try Login(mallory, pin: "9999", at: stranger).passTwo(at: stranger, wid: waiting.code)
            #expect(second.status == 200)
            handles.append(second)
        }
        // An attacker without any answer to the challenge.
        var junk = try Login(alice, at: stranger).body(wid: waiting.code)
        junk["V"] = try hex(Login(mallory, at: stranger).v)
        junk["mpin_id"] = mallory.mpinID
        #expect(try stranger.post("/rps/pass2", junk).status == 500)
        #expect(try waiting.status(at: fixture) == "new")
        let right = try fixture.approve(alice, waiting.code)
        #expect(right.hold != nil)
        for second in handles {
            #expect(fixture.bring(second, from: .user(7)).status == 401)
            #expect(try Login.redeem(second, at: stranger).status == 408)
        }
        #expect(try waiting.enter(at: fixture).string("userId") == "alice")
        #expect(right.answer?.string("userId") == "alice")
        #expect(try fixture.administrator.user("alice").devices[0].failures == 0)
        #expect(try fixture.administrator.user("mallory").devices[0].failures == 2)
    }

    @Test func `a used answer does not work again`() throws {
        let alice = try fixture.enroll()
        let waiting = try Waiting(at: fixture)
        let login = try Login(alice, at: fixture)
        let second = try login.passTwo(at: fixture, wid: waiting.code)
        // Repeats the answer for this number, another, and none.
        let other = try Waiting(at: fixture)
        for wid in [waiting.code, other.code, "0"] {
            #expect(try login.passTwo(at: fixture, wid: wid).status == 500)
        }
        let device = fixture.bring(second)
        #expect(device.hold != nil)
        #expect(fixture.bring(second).status == 412)
        let handle = try waiting.poll(at: fixture).string("authOTT")
        #expect(handle != second.string("authOTT"))
        let body = Array("{\"mpinResponse\":{\"authOTT\":\"\(handle)\"}}".utf8)
        // The session's handle does not work for a device.
        #expect(fixture.outcome("POST", "/rps/authenticate", body).status == 412)
        #expect(try fixture.post("/mpinAuthenticate", body).status == 200)
        #expect(try fixture.post("/mpinAuthenticate", body).status == 408)
        #expect(try other.status(at: fixture) == "new")
    }

    @Test func `a handle of one kind does not work as another`() throws {
        let alice = try fixture.enroll()
        let waiting = try Waiting(at: fixture)
        let ordinary = try Login(alice, at: fixture).passTwo(at: fixture)
        #expect(fixture.bring(ordinary).status == 412)
        let numbered = try Login(alice, at: fixture).passTwo(at: fixture, wid: waiting.code)
        let answer = try Login.redeem(numbered, at: fixture)
        #expect(answer.status == 412)
        #expect(answer.headers["set-cookie"] == nil)
        #expect(try waiting.status(at: fixture) == "new")
        let revoking = try Login(alice, at: fixture).passTwo(at: fixture, wid: waiting.code)
        let revoke: [String: Any] = ["mpinResponse": ["authOTT": revoking.string("authOTT")], "revoke": alice.mpinID]
        #expect(try fixture.post("/mpinRevoke", revoke).status == 412)
        #expect(try alice.login(at: fixture).status == 200)
        #expect(try fixture.post("/mpinAuthenticate", ["mpinResponse": ["authOTT": waiting.webOTT]]).status == 408)
    }
}
