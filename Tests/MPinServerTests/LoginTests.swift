// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

@Suite struct LoginTests {
    private let fixture: Fixture
    private let alice: ClientRegistration

    init() throws {
        (fixture, alice) = try Fixture.enrolled()
    }

    @Test func `three wrong PINs block, and the right one does not help then, nor a restart`() throws {
        let answers = try (0..<3).map { _ in try alice.login(pin: "9999", at: fixture) }
        #expect(answers.map(\.status) == [401, 401, 410])
        #expect(answers.map { $0.object["attemptsLeft"] as? Int } == [2, 1, 0])
        #expect(try fixture.get("/rps/timePermit/\(alice.mpinID)").status == 200)
        try fixture.restart()
        #expect(try alice.login(at: fixture).status == 410)
    }

    @Test func `the limit can be configured`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "max_invalid_login_attempts=5\n")
        #expect(try (0..<5).map { _ in try alice.login(pin: "9999", at: fixture).status } == [401, 401, 401, 401, 410])
    }

    @Test func `an attempt counts when it is judged, whether or not a client asks`() throws {
        for _ in 0..<3 { #expect(try Login(alice, pin: "9999", at: fixture).passTwo(at: fixture).status == 200) }
        try fixture.restart()
        #expect(try alice.login(at: fixture).status == 410)
    }

    @Test func `a handle asked for at once by many gives one login`() throws {
        let fixture = try Fixture()
        let second = try Login(fixture.enroll(), at: fixture).passTwo(at: fixture)
        let statuses = try onThreads(32) { _ in try Login.redeem(second, at: fixture).status }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 408 }.count == 31)
    }

    @Test(arguments: [true, false])
    func `a challenge is valid for fifteen seconds`(named: Bool) throws {
        let login = try Login(alice, at: fixture)
        fixture.clock.advance(15)
        #expect(try login.passTwo(at: fixture, named: named).status == 500)
        #expect(try alice.login(pin: "9999", at: fixture).object["attemptsLeft"] as? Int == 2)
    }

    @Test(arguments: [true, false])
    func `only so many passes 1 stay open, and the newest are good`(named: Bool) throws {
        let permit = try alice.permit(at: fixture)
        let logins = try (0..<40).map { _ in try Login(alice, permit: permit, at: fixture) }
        #expect(try logins[39].finish(at: fixture, named: named).status == 200)
        #expect(try logins[0].finish(at: fixture, named: true).status == 500)
        #expect(try fixture.administrator.user("alice").devices[0].failures == 0)
    }

    @Test func `the name of another's pass 1 is useless`() throws {
        let (fixture, alice) = try Fixture.enrolled()
        let login = try Login(alice, at: fixture)
        let other = try Login(fixture.enroll("bob"), at: fixture)
        var body = login.body()
        body["passId"] = other.passID
        #expect(try fixture.post("/rps/pass2", body).status == 500)
        #expect(try login.finish(at: fixture).status == 200)
        #expect(try other.finish(at: fixture).status == 200)
    }

    @Test func `hexadecimal digits may be upper case`() throws {
        let login = try Login(alice, at: fixture)
        var body = login.body()
        body["mpin_id"] = alice.mpinID.uppercased()
        body["V"] = hex(login.v).uppercased()
        #expect(try Login.redeem(fixture.post("/rps/pass2", body), at: fixture).status == 200)
        #expect(try fixture.get("/rps/timePermit/\(alice.mpinID.uppercased())").status == 200)
    }

    @Test func `an unknown identity gets as far as the result, and leaves no trace`() throws {
        let permit = try alice.permit(at: fixture)
        let stranger = ClientRegistration(
            user: "nobody", mpinID: hex(Array("{\"userID\":\"nobody\"}".utf8)), token: alice.token)
        #expect(try fixture.get("/rps/timePermit/\(stranger.mpinID)").status == 410)
        for _ in 0..<5 {
            #expect(try Login(stranger, permit: permit, at: fixture).finish(at: fixture).status == 401)
        }
        #expect(try fixture.administrator.users().map(\.user) == ["alice"])
    }

    @Test func `yesterday's permit is valid for an hour after midnight`() throws {
        let midnight: Int64 = 1_781_524_800 + 43_200
        let (fixture, alice) = try Fixture.enrolled(clock: ManualClock(wall: midnight - 60))
        let permit = try alice.permit(at: fixture)
        fixture.clock.advance(120)
        #expect(try Login(alice, permit: permit, at: fixture).finish(at: fixture).status == 200)
        #expect(try alice.login(at: fixture).status == 200)
        fixture.clock.advance(3_600)
        // An expired permit is refused, but with the right PIN this is not a wrong PIN.
        for _ in 0..<4 {
            #expect(try Login(alice, permit: permit, at: fixture).finish(at: fixture).status == 408)
        }
        #expect(try fixture.administrator.user("alice").devices[0].failures == 0)
        #expect(try alice.login(at: fixture).status == 200)
        let wrong = try Login(alice, pin: "9999", permit: permit, at: fixture).finish(at: fixture)
        #expect(wrong.status == 401)
        #expect(wrong.object["attemptsLeft"] as? Int == 2)
    }

    @Test func `wrong PINs keep no user of the same address from enrolling`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "failures_per_source = 2\n")
        // A registration's own count limits its wrong PINs; a source is limited by the registrations it makes up.
        let unknown = ClientRegistration(user: "x", mpinID: hex(Array("{\"userID\":\"x\"}".utf8)), token: alice.token)
        let permit = try alice.permit(at: fixture)
        var statuses: [Int] = []
        for _ in 0..<3 { statuses.append(try Login(unknown, permit: permit, at: fixture).passTwo(at: fixture).status) }
        #expect(statuses.last == 429)
        let bob: [String: Any] = ["userId": "bob", "activateCode": try fixture.invite("bob")]
        #expect(try fixture.put("/rps/user", bob).status == 200)
    }
}
