// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// A wall clock that ran ahead and was set back.
@Suite struct WrongClockTests {
    private static let year: Int64 = 365 * 86_400

    @Test func `after a clock correction only the usual waits for mails apply`() throws {
        let mails = try MailFixture("mails_per_mailbox = 3", "mails_per_source = 2")
        let clock = mails.fixture.clock
        clock.set(wall: ManualClock.noon + Self.year)
        #expect(try mails.begin("alice@example.org", from: .address("192.0.2.8")).status == 200)
        #expect(try mails.begin("bob@example.org").status == 200)
        #expect(try mails.begin("dave@example.org").status == 200)
        #expect(try mails.begin("carol@example.org").status == 429)
        clock.set(wall: ManualClock.noon)
        // The usual times from now, which pass.
        #expect(try mails.begin("alice@example.org", from: .address("192.0.2.8")).headers["retry-after"] == "30")
        #expect(try mails.begin("carol@example.org").headers["retry-after"] == "3600")
        clock.advance(30)
        #expect(try mails.begin("alice@example.org", from: .address("192.0.2.8")).status == 200)
        clock.advance(3_570)
        #expect(try mails.begin("carol@example.org").status == 200)
    }

    @Test func `after a clock correction only devices that logged in before it need another time`() throws {
        let (fixture, alice) = try Fixture.withDevice()
        let bob = try fixture.device("bob")
        fixture.clock.advance(86_400)
        #expect(try [200, 401] == ["1234", "9999"].map { try alice.login(pin: $0, at: fixture).status })
        let ahead = fixture.milliseconds
        fixture.clock.advance(-86_400)
        #expect(try bob.login(at: fixture).status == 200)
        let refused = try alice.login(at: fixture)
        let time = try #require(refused.object["nowTime"] as? Int64)
        #expect(refused.status == 408 && time == ahead - 150_000)
        for _ in 0..<2 { #expect(try DirectRequest(alice, time: time).send(at: fixture).status == 200) }
        #expect(try DirectRequest(alice, time: time + 90_001).send(at: fixture).status == 408)
        #expect(try bob.login(at: fixture).status == 200)
        fixture.clock.advance(86_400)
        for device in [alice, bob] { #expect(try device.login(at: fixture).status == 200) }
    }

    @Test func `numbers, sessions and passwords use a clock that cannot be set`() throws {
        let (fixture, alice) = try Fixture.enrolled()
        let waiting = try Waiting(at: fixture)
        var body = try Login(alice, at: fixture).body()
        body["OTP"] = true
        let second = try fixture.post("/rps/pass2", body)
        #expect(try Login.redeem(second, at: fixture).status == 200)
        for wall in [ManualClock.noon + Self.year, ManualClock.noon - Self.year] {
            fixture.clock.set(wall: wall)
            #expect(try waiting.status(at: fixture) == "new")
        }
        #expect(try fixture.post("/otp", ["userId": "alice", "otp": second.string("OTP")]).status == 200)
        fixture.clock.advance(120)
        #expect(try waiting.status(at: fixture) == "expired")
    }
}
