// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

@Suite struct OneTimePasswordTests {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    /// A login that asks for a password: the answer to pass 2, and the final one.
    private func login(
        _ user: ClientRegistration, pin: String = "1234", at peer: some Peer
    ) throws -> (otp: String, final: Answer) {
        var body = try Login(user, pin: pin, at: peer).body()
        body["OTP"] = true
        let second = try peer.post("/rps/pass2", body)
        #expect(second.status == 200)
        let otp = second.string("OTP")
        #expect(otp.utf8.count == 6)
        #expect(otp.utf8.allSatisfy { (0x30...0x39).contains($0) })
        return (otp, try Login.redeem(second, at: peer))
    }

    private func redeem(_ otp: String, _ user: String = "alice", at peer: some Peer) throws -> Answer {
        try peer.post("/otp", ["userId": user, "otp": otp])
    }

    /// Six digits that are others.
    private func other(_ otp: String) -> String { String((otp.first == "9" ? "0" : "9") + otp.dropFirst()) }

    @Test func `a password works once, for its user, and has a lifetime`() throws {
        let alice = try fixture.enroll()
        _ = try fixture.enroll("bob")
        let (otp, final) = try login(alice, at: fixture)
        #expect(final.status == 200)
        let now = fixture.clock.wall * 1_000
        #expect(final.object["nowTime"] as? Int64 == now)
        #expect(final.object["ttlSeconds"] as? Int == 60)
        #expect(final.object["expireTime"] as? Int64 == now + 60_000)
        #expect(final.headers["set-cookie"] == nil)
        #expect(try redeem(otp, "bob", at: fixture).status == 401)
        let answer = try redeem(otp, at: fixture)
        #expect(answer.status == 200)
        #expect(answer.object as? [String: String] == ["userId": "alice"])
        #expect(try redeem(otp, at: fixture).status == 401)
    }

    @Test func `asked for at once by many, it is good once`() throws {
        let (otp, _) = try login(fixture.enroll(), at: fixture)
        let statuses = try onThreads(16) { _ in try redeem(otp, at: fixture).status }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 401 }.count == 15)
    }

    @Test func `a wrong PIN gets a password too, which is useless`() throws {
        let alice = try fixture.enroll()
        let (otp, final) = try login(alice, pin: "9999", at: fixture)
        #expect(final.status == 401)
        #expect(final.object["expireTime"] == nil)
        #expect(try redeem(otp, at: fixture).status == 401)
        // A right one does not make the digits of the wrong one good.
        let (good, _) = try login(alice, at: fixture)
        if otp != good { #expect(try redeem(otp, at: fixture).status == 401) }
        #expect(try redeem(good, at: fixture).status == 200)
    }

    @Test(arguments: [(nil, 59), (nil, 60), (300, 299)] as [(Int?, Int64)])
    func `a password one second too old is refused, and its life can be configured`(life: Int?, age: Int64) throws {
        let fixture = try Fixture(configuration: life.map { "otp_ttl = \($0)\n" })
        let (otp, final) = try login(fixture.enroll(), at: fixture)
        #expect(final.object["ttlSeconds"] as? Int == life ?? 60)
        fixture.clock.advance(age)
        #expect(try redeem(otp, at: fixture).status == (age < life ?? 60 ? 200 : 401))
    }

    @Test(arguments: [4, 5])
    func `five wrong ones end it, and no PIN is charged`(count: Int) throws {
        let alice = try fixture.enroll()
        let (otp, _) = try login(alice, at: fixture)
        for _ in 0..<count { #expect(try redeem(other(otp), at: fixture).status == 401) }
        #expect(try redeem(otp, at: fixture).status == (count < 5 ? 200 : 401))
        #expect(try fixture.administrator.user("alice").devices[0].failures == 0)
        #expect(try redeem(login(alice, at: fixture).otp, at: fixture).status == 200)
    }

    @Test func `strangers' guesses end no password, but not for ever`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "failures_per_source = 1000\n")
        let (otp, _) = try login(alice, at: fixture)
        // Five of each count; more of the same source do not.
        for stranger in 1..<20 {
            let peer = fixture.from(.user(UInt32(stranger)))
            for _ in 0..<7 { #expect(try redeem(other(otp), at: peer).status == 401) }
            #expect(try redeem(otp, at: peer).status == 401)
        }
        #expect(try redeem(otp, at: fixture).status == 200)
        let (next, _) = try login(alice, at: fixture)
        for stranger in 1...20 {
            for _ in 0..<5 { #expect(try redeem(other(next), at: fixture.from(.user(UInt32(stranger)))).status == 401) }
        }
        #expect(try redeem(next, at: fixture).status == 401)
    }

    @Test func `no user closes the passwords of others at a host that shows its secret`() throws {
        let fixture = try Fixture(configuration: "failures_per_source = 4\n")
        let (alice, bob) = (try fixture.enroll(), try fixture.enroll("bob"))
        let secret = try fixture.administrator.addHost("gate")
        let gate = fixture.with(["authorization": "Bearer \(secret)"])
        for number in 0..<30 { #expect(try redeem("000000", "stranger\(number)", at: gate).status == 401) }
        for _ in 0..<5 { _ = try redeem("000000", "nobody", at: fixture) }
        let (otp, _) = try login(alice, at: fixture)
        #expect(try redeem(otp, at: fixture).status == 429)
        #expect(try redeem(otp, at: fixture.from(.user(7))).status == 200)
        #expect(try redeem(login(alice, at: fixture).otp, at: gate).status == 200)
        // Wrong ones are charged to their user.
        let (next, _) = try login(alice, at: fixture)
        for _ in 0..<4 { #expect(try redeem(other(next), at: gate).status == 401) }
        #expect(try redeem(next, at: gate).status == 429)
        #expect(try redeem(login(bob, at: fixture).otp, "bob", at: gate).status == 200)
        // An impossible user ID is charged to the source.
        #expect(try redeem("000000", String(repeating: "x", count: 300), at: gate).status == 429)
    }

    @Test func `a wrong secret redeems nothing and uses nothing up`() throws {
        let (otp, _) = try login(fixture.enroll(), at: fixture)
        let liar = fixture.with(["authorization": "Bearer \(String(repeating: "0", count: 64))"])
        #expect(try redeem(otp, at: liar).status == 401)
        #expect(try redeem(otp, at: fixture).status == 200)
    }

    @Test func `a newer one replaces an older one`() throws {
        let alice = try fixture.enroll()
        let (first, _) = try login(alice, at: fixture)
        let (second, _) = try login(alice, at: fixture)
        if first != second { #expect(try redeem(first, at: fixture).status == 401) }
        #expect(try redeem(second, at: fixture).status == 200)
    }

    @Test func `a revocation voids the user's password`() throws {
        let (otp, _) = try login(fixture.enroll(), at: fixture)
        #expect(try fixture.administrator.revoke("alice", reason: nil) == 1)
        #expect(try redeem(otp, at: fixture).status == 401)
    }

    @Test func `digits of a login that never ended, or was for a session, are useless`() throws {
        let alice = try fixture.enroll()
        var body = try Login(alice, at: fixture).body()
        body["OTP"] = 1
        let second = try fixture.post("/rps/pass2", body)
        #expect(try redeem(second.string("OTP"), at: fixture).status == 401)
        let waiting = try Waiting(at: fixture)
        body = try Login(alice, at: fixture).body(wid: waiting.code)
        body["OTP"] = true
        let third = try fixture.post("/rps/pass2", body)
        #expect(third.string("OTP").utf8.count == 6)
        #expect(fixture.bring(third).hold != nil)
        #expect(try waiting.enter(at: fixture).status == 200)
        #expect(try redeem(third.string("OTP"), at: fixture).status == 401)
    }

    @Test(arguments: [
        "", "{}", "[]", "{\"userId\":\"alice\"}", "{\"otp\":\"123456\"}", "{\"userId\":1,\"otp\":\"123456\"}",
    ])
    func `nonsense is refused`(body: String) throws {
        #expect(try fixture.post("/otp", Array(body.utf8)).status == 400)
    }

    @Test(arguments: ["", "12345", "1234567", "12345a", " 123456"])
    func `an invalid password is a wrong one`(otp: String) throws {
        #expect(try redeem(otp, at: fixture).status == 401)
    }
}
