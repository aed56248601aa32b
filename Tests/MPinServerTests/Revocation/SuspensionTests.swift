// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// A revoked user, who might register anew at a server that needs no invitation.
@Suite struct SuspensionTests {
    private func begin(_ user: String = "alice", _ more: [String: Any] = [:], at fixture: Fixture) throws -> Answer {
        try fixture.put("/rps/user", ["userId": user, "mobile": 1].merging(more) { $1 })
    }

    private func again(_ begun: Answer, _ more: [String: Any] = [:], at fixture: Fixture) throws -> Answer {
        let body = ["userId": "alice", "mobile": 1, "regOTT": begun.string("regOTT")].merging(more) { $1 }
        return try fixture.put("/rps/user/\(begun.string("mpinId"))", body)
    }

    @Test func `a revoked user sets up no device by himself`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "hold_unverified = yes\n")
        _ = try fixture.administrator.revoke("alice", reason: "left")
        let begun = try begin(at: fixture)
        #expect(begun.status == 200 && begun.object["active"] as? Bool == false)
        #expect(try fixture.share(begun).status == 401)
        #expect(try again(begun, at: fixture).object["active"] as? Bool == false)
        #expect(try fixture.share(begun).status == 401)
        #expect(try fixture.administrator.user("alice").state == .revoked)
        #expect(try fixture.auditText().contains("register alice uid 1000 - held, user suspended"))
        // A stranger gets the same answer as for any user who waits to be verified.
        let other = try begin("nemo", at: fixture)
        #expect(Set(other.object.keys) == Set(begun.object.keys) && other.status == begun.status)
        // It outlives the server, and so does its end.
        try fixture.restart()
        #expect(try again(begun, at: fixture).object["active"] as? Bool == false)
        #expect(try fixture.administrator.restore("alice") == 1)
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `an invitation lets one device in and nothing else`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\n")
        let old = try fixture.enroll()
        _ = try fixture.administrator.revoke("alice", reason: nil)
        let held = try begin(at: fixture)
        // A code makes a new device, or activates a registration that has begun.
        let new = try fixture.enroll()
        #expect(try new.login(at: fixture).status == 200)
        let late = try again(held, ["activateCode": fixture.invite("alice")], at: fixture)
        #expect(late.object["active"] as? Bool == true)
        let third = try ClientRegistration.finish("alice", held, at: fixture)
        #expect(try third.login(at: fixture).status == 200)
        #expect(try fixture.get("/rps/timePermit/\(old.mpinID)").status == 410)
        let begun = try begin(at: fixture)
        #expect(begun.object["active"] as? Bool == false)
        #expect(try again(begun, at: fixture).object["active"] as? Bool == false)
        // He can still give up what he has, and gets no other for it.
        #expect(try new.revoke(new.mpinID, at: fixture).status == 200)
        #expect(try begin(at: fixture).object["active"] as? Bool == false)
        #expect(try fixture.administrator.restore("alice") > 0)
        #expect(try old.login(at: fixture).status == 200)
        #expect(try fixture.get("/rps/timePermit/\(new.mpinID)").status == 410)
    }

    @Test func `giving a device up, or replacing it, is no suspension`() throws {
        let (fixture, alice) = try Fixture.enrolled()
        #expect(try alice.revoke(alice.mpinID, at: fixture).status == 200)
        #expect(try fixture.auditText().contains("revoke alice uid 1000 alice device 1"))
        #expect(try fixture.administrator.user("alice").suspended == nil)
    }

    @Test func `it lasts when no data of the user is left`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\nregistration_ttl = 60\n")
        _ = try begin(at: fixture)
        _ = try fixture.administrator.revoke("alice", reason: nil)
        fixture.clock.advance(60)
        _ = try begin("bob", at: fixture)
        let user = try fixture.administrator.user("alice")
        #expect(user.devices.isEmpty && user.suspended != nil && user.state == .revoked)
        #expect(try fixture.administrator.users().map(\.user) == ["alice", "bob"])
        #expect(try fixture.administrator.restore("alice") == 0)
        #expect(throws: ServerError.self) { try fixture.administrator.user("alice") }
    }
}
