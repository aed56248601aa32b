// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// An enrollment that was cut short begins again with the code it had, and never leaves two behind.
@Suite struct ReplacementTests {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    private func begin(_ fixture: Fixture, _ code: String, user: String = "alice") throws -> Answer {
        try fixture.put("/rps/user", ["userId": user, "mobile": 1, "activateCode": code])
    }

    @Test func `a code that is used again begins again, and its first registration is void`() throws {
        let code = try fixture.invite("alice")
        let first = try begin(fixture, code)
        try fixture.restart()
        let second = try begin(fixture, code)
        #expect(second.status == 200 && second.object["active"] as? Bool == true)
        #expect(try fixture.share(first).status == 403)
        #expect(try fixture.share(second).status == 200)
        #expect(try fixture.administrator.user("alice").devices.count == 1)
        #expect(try fixture.auditText().contains("replace alice"))
    }

    @Test func `a registration that has not logged in yet is revoked by its successor`() throws {
        let code = try fixture.invite("alice")
        let first = try ClientRegistration.register("alice", code: code, at: fixture)
        let permit = try first.permit(at: fixture)
        // A wrong PIN is no login.
        #expect(try first.login(pin: "9999", at: fixture).status == 401)
        let judged = try Login(first, pin: "9999", permit: permit, at: fixture)
        fixture.clock.advance(120)
        let second = try ClientRegistration.register("alice", code: code, at: fixture)
        #expect(try judged.finish(at: fixture).status != 200)
        #expect(try Login(first, permit: permit, at: fixture).finish(at: fixture).status == 403)
        #expect(try fixture.get("/rps/timePermit/\(first.mpinID)").status == 410)
        #expect(try second.login(at: fixture).status == 200)
        let devices = try fixture.administrator.user("alice").devices
        #expect(devices.count == 1 && devices[0].state == .registered)
        // The administrator cannot restore a replaced registration.
        #expect(try fixture.administrator.restore("alice") == 0)
        #expect(try fixture.get("/rps/timePermit/\(first.mpinID)").status == 410)
    }

    @Test func `after the first login the code is used up`() throws {
        let code = try fixture.invite("alice")
        let alice = try ClientRegistration.register("alice", code: code, at: fixture)
        #expect(try alice.login(at: fixture).status == 200)
        #expect(try begin(fixture, code).status == 403)
        try fixture.restart()
        #expect(try begin(fixture, code).status == 403)
        for _ in 0..<3 { _ = try alice.login(pin: "9999", at: fixture) }
        #expect(try begin(fixture, code).status == 403)
        #expect(try fixture.administrator.unblock("alice") == 1)
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `another user's code replaces nothing`() throws {
        let code = try fixture.invite("alice")
        let others = { try ["mallory", "Alice"].map { try begin(fixture, code, user: $0).status } }
        #expect(try others() == [403, 403])
        let alice = try begin(fixture, code)
        #expect(try others() == [403, 403])
        #expect(try begin(fixture, try fixture.invite("mallory"), user: "mallory").status == 200)
        #expect(try begin(fixture, code, user: "mallory").status == 403)
        #expect(try fixture.share(alice).status == 200)
    }

    @Test func `a revoked or expired registration is not begun again`() throws {
        let revoked = try fixture.invite("alice"), late = try fixture.invite("bob", seconds: 300)
        #expect(try begin(fixture, revoked).status == 200)
        _ = try ClientRegistration.register("bob", code: late, at: fixture)
        _ = try fixture.administrator.revoke("alice", reason: nil)
        #expect(try begin(fixture, revoked).status == 403)
        #expect(try fixture.administrator.restore("alice") == 1)
        #expect(try begin(fixture, revoked).status == 403)
        fixture.clock.advance(300)
        #expect(try begin(fixture, late, user: "bob").status == 403)
    }

    @Test func `a code is valid after its first registration has lapsed`() throws {
        let fixture = try Fixture(configuration: "registration_ttl = 60\n")
        let code = try fixture.invite("alice")
        #expect(try begin(fixture, code).status == 200)
        fixture.clock.advance(61)
        // Another user's registration clears away what has lapsed.
        _ = try fixture.enroll("bob")
        let again = try ClientRegistration.register("alice", code: code, at: fixture)
        #expect(try again.login(at: fixture).status == 200)
        #expect(try begin(fixture, code).status == 403)
    }

    @Test func `a held registration takes the code that another one had`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\n")
        let code = try fixture.invite("alice")
        let first = try begin(fixture, code)
        let held = try fixture.put("/rps/user", ["userId": "alice", "mobile": 1])
        let restarted = try fixture.put(
            "/rps/user/\(held.string("mpinId"))",
            ["userId": "alice", "regOTT": held.string("regOTT"), "activateCode": code])
        #expect(restarted.object["active"] as? Bool == true)
        #expect(try fixture.share(first).status == 403)
        #expect(try fixture.share(held).status == 200)
    }

    @Test func `however many enroll with one code at once, one can log in`() throws {
        let code = try fixture.invite("alice")
        let enrolled = try onThreads(20) { _ in try? ClientRegistration.register("alice", code: code, at: fixture) }
            .compactMap { $0 }
        // Those that log in and the code that replaces them race for the same row.
        let statuses = try onThreads(2 * enrolled.count) {
            if $0 % 2 == 0 { return (try? enrolled[$0 / 2].login(at: fixture).status) ?? 0 }
            _ = try begin(fixture, code)
            return 0
        }
        let late = try begin(fixture, code)
        var usable = statuses.filter { $0 == 200 }.count
        if late.status == 200 { usable += 1 }
        #expect(usable == 1)
        #expect(try fixture.administrator.user("alice").devices.filter { $0.state == .registered }.count <= 1)
    }
}
