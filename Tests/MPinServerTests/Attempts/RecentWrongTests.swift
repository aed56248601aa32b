// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// The count that no right PIN brings down.
@Suite struct RecentWrongTests {
    /// Wrong PINs with a right one after each two, like an attacker who guesses beside an honest user.
    private func guess(_ alice: ClientRegistration, _ pairs: Int, at fixture: Fixture) throws {
        for _ in 0..<pairs {
            for _ in 0..<2 { #expect(try alice.login(pin: "9999", at: fixture).status == 401) }
            #expect(try alice.login(at: fixture).status == 200)
        }
    }

    @Test func `guesses beside honest logins end in a block, which unblock lifts`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "max_recent_wrong_attempts = 7\n")
        try guess(alice, 3, at: fixture)
        let last = try alice.login(pin: "9999", at: fixture)
        #expect(last.status == 410)
        #expect(last.object["attemptsLeft"] as? Int == 0)
        #expect(try fixture.administrator.user("alice").state == .blocked)
        #expect(try alice.login(at: fixture).status == 410)
        #expect(try fixture.auditText().contains("block alice"))
        try fixture.restart()
        #expect(try alice.login(at: fixture).status == 410)
        #expect(try fixture.administrator.unblock("alice") == 1)
        #expect(try alice.login(at: fixture).status == 200)
        try guess(alice, 3, at: fixture)
    }

    @Test func `the answers tell how many are left by either count`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "max_recent_wrong_attempts = 4\n")
        try guess(alice, 1, at: fixture)
        #expect(try alice.login(pin: "9999", at: fixture).object["attemptsLeft"] as? Int == 1)
        // The answer to a right one reports it too, although the right one has lowered the other count.
        #expect(try alice.login(at: fixture).object["attemptsLeft"] as? Int == 1)
    }

    @Test func `wrong PINs are forgotten after their days`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "max_recent_wrong_attempts = 5\n")
        try guess(alice, 2, at: fixture)
        fixture.clock.advance(30 * 86_400)
        try guess(alice, 2, at: fixture)
        fixture.clock.advance(86_400)
        #expect(try alice.login(pin: "9999", at: fixture).status == 410)
    }

    @Test func `a registration of its own counts for itself`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "max_recent_wrong_attempts = 3\n")
        try guess(alice, 1, at: fixture)
        #expect(try alice.login(pin: "9999", at: fixture).status == 410)
        // Another device of the same user, or the same one registered again.
        #expect(try fixture.enroll().login(at: fixture).status == 200)
        #expect(try alice.login(at: fixture).status == 410)
    }

    @Test func `guesses at once are judged no oftener than this limit allows`() throws {
        let (fixture, alice) = try Fixture.enrolled(
            configuration: "max_recent_wrong_attempts = 2\nmax_invalid_login_attempts = 50\n")
        let permit = try alice.permit(at: fixture)
        let logins = try (0..<20).map { try Login(alice, pin: String(2_000 + $0), permit: permit, at: fixture) }
        _ = try onThreads(20) { try logins[$0].passTwo(at: fixture).status }
        let audit = try fixture.auditText().split(separator: "\n")
        #expect(audit.filter { $0.hasPrefix("wrong-pin alice") || $0.hasPrefix("block alice") }.count == 2)
        #expect(try alice.login(at: fixture).status == 410)
        #expect(try fixture.administrator.user("alice").state == .blocked)
    }

    @Test func `a login tells how many wrong PINs came before it`() throws {
        let (fixture, alice) = try Fixture.enrolled()
        func before() throws -> Int? { try alice.login(at: fixture).object["wrongSinceLastLogin"] as? Int }
        #expect(try before() == 0)
        for _ in 0..<2 { #expect(try alice.login(pin: "9999", at: fixture).status == 401) }
        #expect(try before() == 2)
        #expect(try before() == 0)
        // Lifting a block hides nothing.
        for _ in 0..<3 { _ = try alice.login(pin: "9999", at: fixture) }
        #expect(try fixture.administrator.unblock("alice") == 1)
        try fixture.restart()
        #expect(try before() == 3)
        #expect(try alice.login(pin: "9999", at: fixture).object["wrongSinceLastLogin"] == nil)
        // The device that approves another session learns of them too.
        let waiting = try Waiting(at: fixture)
        let device = try fixture.approve(alice, waiting.code)
        #expect(try waiting.enter(at: fixture).object["wrongSinceLastLogin"] == nil)
        #expect(device.answer?.object["wrongSinceLastLogin"] as? Int == 1)
    }
}
