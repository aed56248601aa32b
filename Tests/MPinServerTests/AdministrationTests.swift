// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

@Suite struct AdministrationTests {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    @Test func `a revoked user gets no permit and no login, until restored`() throws {
        let alice = try fixture.enroll()
        let permit = try alice.permit(at: fixture)
        let first = try fixture.get("/rps/timePermit/\(alice.mpinID)")
        let begun = try Login(alice, permit: permit, at: fixture)
        let judged = try Login(alice, permit: permit, at: fixture).passTwo(at: fixture)
        #expect(try fixture.administrator.revoke("alice", reason: "laptop lost") == 1)
        #expect(try fixture.get("/rps/timePermit/\(alice.mpinID)").status == 410)
        let second = "/dta/timePermit?hash_mpin_id=\(first.string("storageId"))&signature=\(first.string("signature"))"
        #expect(try fixture.get(second).status == 410)
        // Neither a permit fetched before, nor a login begun, nor one already judged.
        #expect(try Login(alice, permit: permit, at: fixture).finish(at: fixture).status == 403)
        #expect(try begun.finish(at: fixture).status == 403)
        #expect(try Login.redeem(judged, at: fixture).status == 403)
        #expect(try fixture.administrator.user("alice").devices[0].reason == "laptop lost")
        try fixture.restart()
        #expect(try fixture.get("/rps/timePermit/\(alice.mpinID)").status == 410)
        #expect(try fixture.administrator.restore("alice") == 1)
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `only a client that shows the M-Pin ID learns why it was revoked`() throws {
        let alice = try fixture.enroll()
        let first = try fixture.get("/rps/timePermit/\(alice.mpinID)")
        let permit = try alice.permit(at: fixture)
        let judged = try Login(alice, permit: permit, at: fixture).passTwo(at: fixture)
        _ = try fixture.administrator.revoke("alice", reason: String(repeating: "\u{e9}", count: 120))
        let refused = try fixture.get("/rps/timePermit/\(alice.mpinID)")
        #expect(refused.status == 410 && refused.string("reason") == String(repeating: "\u{e9}", count: 100))
        let second = "/dta/timePermit?hash_mpin_id=\(first.string("storageId"))&signature=\(first.string("signature"))"
        for answer in [
            try fixture.get(second), try Login.redeem(judged, at: fixture),
            try fixture.get("/rps/timePermit/\(hex(Array("{\"userID\":\"alice\"}".utf8)))"),
        ] {
            #expect(400...499 ~= answer.status)
            #expect(answer.object["reason"] == nil)
        }
        _ = try fixture.administrator.restore("alice")
        _ = try fixture.administrator.revoke("alice", reason: nil)
        #expect(try fixture.get("/rps/timePermit/\(alice.mpinID)").object["reason"] == nil)
    }

    @Test func `a wrong PIN of a revoked user is not even judged`() throws {
        let alice = try fixture.enroll()
        let permit = try alice.permit(at: fixture)
        _ = try fixture.administrator.revoke("alice", reason: nil)
        for _ in 0..<5 {
            #expect(try Login(alice, pin: "9999", permit: permit, at: fixture).finish(at: fixture).status == 403)
        }
        _ = try fixture.administrator.restore("alice")
        #expect(try alice.login(pin: "9999", at: fixture).object["attemptsLeft"] as? Int == 2)
    }

    @Test func `revoking takes open invitations and begun registrations with it`() throws {
        let code = try fixture.invite("alice")
        let begun = try fixture.put("/rps/user", ["userId": "alice", "activateCode": fixture.invite("alice")])
        _ = try fixture.administrator.revoke("alice", reason: nil)
        #expect(try fixture.put("/rps/user", ["userId": "alice", "activateCode": code]).status == 403)
        #expect(try fixture.share(begun).status == 403)
    }

    @Test func `a registration that never logged in is not a device, and lapses`() throws {
        let begun = try fixture.put("/rps/user", ["userId": "alice", "activateCode": fixture.invite("alice")])
        #expect(try fixture.share(begun).status == 200)
        let fresh = try fixture.administrator.user("alice")
        #expect(fresh.devices.map(\.state) == [.activated] && fresh.devicesInForce == 0)
        fixture.clock.advance(4000)
        let late = try fixture.administrator.user("alice")
        #expect(late.devices.map(\.state) == [.lapsed] && late.state == .lapsed && late.devicesInForce == 0)
        let alice = try fixture.enroll()
        #expect(try alice.login(at: fixture).status == 200)
        let user = try fixture.administrator.user("alice")
        #expect(user.devices.map(\.state) == [.lapsed, .registered] && user.devicesInForce == 1)
        #expect(user.state == .registered)
    }

    @Test func `blocked and revoked users can be invited again`() throws {
        let old = try fixture.enroll()
        for _ in 0..<3 { _ = try old.login(pin: "9999", at: fixture) }
        let second = try fixture.enroll()
        #expect(try second.login(at: fixture).status == 200)
        #expect(try old.login(at: fixture).status == 410)
        _ = try fixture.administrator.revoke("alice", reason: nil)
        let third = try fixture.enroll()
        #expect(try third.login(at: fixture).status == 200)
        #expect(try fixture.get("/rps/timePermit/\(second.mpinID)").status == 410)
    }

    @Test func `a user revokes only his own older registrations`() throws {
        let old = try fixture.enroll("alice")
        let new = try fixture.enroll("alice", pin: "5678")
        let bob = try fixture.enroll("bob")
        #expect(try bob.revoke(old.mpinID, pin: "1234", at: fixture).status == 404)
        #expect(try new.revoke(hex(Array("{}".utf8)), pin: "5678", at: fixture).status == 404)
        #expect(try new.revoke(old.mpinID, pin: "9999", at: fixture).status == 401)
        #expect(try old.login(at: fixture).status == 200)
        let done = try new.revoke(old.mpinID, pin: "5678", at: fixture)
        #expect(done.status == 200)
        #expect(done.object["revoked"] as? Bool == true)
        #expect(done.string("userId") == "alice")
        #expect(try fixture.get("/rps/timePermit/\(old.mpinID)").status == 410)
        #expect(try new.login(pin: "5678", at: fixture).status == 200)
        // A registration that the user revoked stays revoked.
        #expect(try fixture.administrator.restore("alice") == 0)
        // He may give up the very registration that logs in.
        #expect(try new.revoke(new.mpinID, pin: "5678", at: fixture).status == 200)
        #expect(try fixture.get("/rps/timePermit/\(new.mpinID)").status == 410)
    }

    @Test func `revoking uses its handle up and needs its argument`() throws {
        let alice = try fixture.enroll()
        let second = try Login(alice, at: fixture).passTwo(at: fixture)
        let response = ["authOTT": second.string("authOTT")]
        #expect(try fixture.post("/mpinRevoke", ["mpinResponse": response]).status == 400)
        #expect(try fixture.post("/mpinRevoke", ["mpinResponse": response, "revoke": alice.mpinID]).status == 200)
        #expect(try fixture.post("/mpinRevoke", ["mpinResponse": response, "revoke": alice.mpinID]).status == 408)
    }

    @Test func `unknown users are reported as unknown`() throws {
        let administrator = try fixture.administrator
        for act in [
            { try administrator.unblock($0) }, { try administrator.restore($0) },
            { try administrator.revoke($0, reason: nil) }, { try administrator.unblock($0, device: 1) },
            { try administrator.restore($0, device: 1) }, { try administrator.revoke($0, device: 1, reason: nil) },
        ] {
            #expect { try act("nobody") } throws: { ($0 as? ServerError)?.kind == .noSuchUser }
        }
        #expect { try administrator.user("nobody") } throws: { ($0 as? ServerError)?.kind == .noSuchUser }
    }
}
