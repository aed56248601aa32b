// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinCrypto
import MPinServer
import MPinServerRoles
import MPinServerStorage
import Testing

/// Logins in one request, as their owners make them.
@Suite struct DirectLoginTests {
    private let fixture: Fixture
    private let alice: Device

    init() throws {
        (fixture, alice) = try Fixture.withDevice()
    }

    @Test func `a right PIN is answered as by the final call of a login, a wrong one with what is left`() throws {
        #expect(try alice.login(pin: "9999", at: fixture).object["attemptsLeft"] as? Int == 2)
        let right = try alice.login(at: fixture)
        #expect(right.status == 200)
        #expect(right.string("userId") == "alice" && right.string("serverId") == hex(alice.serverID))
        #expect(right.object["wrongSinceLastLogin"] as? Int == 1)
        #expect(try alice.login("changePin", at: fixture).string("userId") == "alice")
        let answers = try (0..<4).map { _ in try alice.login(pin: "9999", at: fixture) }
        #expect(answers.map(\.status) == [401, 401, 410, 410])
        #expect(answers.map { $0.object["attemptsLeft"] as? Int } == [2, 1, 0, 0])
        #expect(answers.map { $0.string("message") } == ["Wrong PIN.", "Wrong PIN.", "Wrong PIN.", "Blocked"])
        try fixture.restart()
        let blocked = try alice.login(at: fixture)
        #expect(blocked.status == 410 && blocked.string("message") == "Blocked")
        #expect(try fixture.administrator.unblock("alice") == 1)
        #expect(try alice.login(at: fixture).object["wrongSinceLastLogin"] as? Int == 3)
        let audit = try fixture.auditText()
        #expect(audit.contains("login alice uid 1000 alice") && audit.contains("block alice uid 1000"))
        #expect(audit.contains("refused alice uid 1000 - blocked"))
    }

    @Test func `a revoked device learns that, with the reason`() throws {
        _ = try fixture.administrator.revoke("alice", reason: "left the house")
        let refused = try alice.login(at: fixture)
        #expect(refused.status == 403 && refused.string("reason") == "left the house")
        _ = try fixture.administrator.restore("alice")
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `a right PIN reports what the longer limit leaves, whatever its purpose`() throws {
        let (fixture, alice) = try Fixture.withDevice(configuration: "max_recent_wrong_attempts = 4\n")
        #expect(try alice.login(at: fixture).object["attemptsLeft"] == nil)
        for left in [2, 1] {
            #expect(try alice.login(pin: "9999", at: fixture).object["attemptsLeft"] as? Int == left)
        }
        for purpose in ["login", "otp", "devices"] {
            let answer = try alice.login(purpose, at: fixture)
            #expect(answer.status == 200 && answer.object["attemptsLeft"] as? Int == 2, "\(purpose)")
        }
    }

    @Test func `a one-time password comes with its digits, and is good once`() throws {
        let answer = try alice.login("otp", at: fixture)
        let digits = answer.string("OTP")
        #expect(digits.count == 6 && answer.object["ttlSeconds"] as? Int == 60)
        #expect(answer.object["nowTime"] as? Int64 == fixture.milliseconds)
        #expect(answer.object["expireTime"] as? Int64 == fixture.milliseconds + 60_000)
        let body = ["userId": "alice", "otp": digits]
        let redeemed = try fixture.post("/otp", body)
        #expect(redeemed.string("userId") == "alice", "\(redeemed.text)")
        #expect(try fixture.post("/otp", body).status == 401)
        let wrong = try alice.login(pin: "9999", "otp", at: fixture)
        #expect(wrong.status == 401 && wrong.object["OTP"] == nil)
    }

    @Test func `a waiting session is let in, and learns of the login`() throws {
        let (fixture, alice) = try Fixture.withDevice(publicURL: "https://login.example.org")
        for link in [true, false] {
            let waiting = try Waiting(at: fixture, link: link)
            let request = try DirectRequest(alice, "session", waiting.code)
            let outcome = try fixture.outcome("POST", "/mpinDirect", request.body)
            #expect(outcome.hold != nil && outcome.answer == nil)
            #expect(try waiting.enter(at: fixture).string("userId") == "alice")
            let device = try #require(outcome.answer)
            #expect(device.status == 200 && device.string("logoutURL") == "/logout")
        }
        let late = try Waiting(at: fixture)
        let outcome = try fixture.outcome("POST", "/mpinDirect", DirectRequest(alice, "session", late.code).body)
        outcome.hold?.expire()
        #expect(outcome.status == 504)
    }

    @Test func `a login counts only for a session with the details that the device has shown`() throws {
        let waiting = try Waiting(at: fixture)
        let details = try fixture.post("/rps/codeStatus", ["status": "wid", "wid": waiting.code])
        let digest = try Hash.sha256(Array(details.text.utf8))
        for other in [[UInt8](repeating: 0, count: 32), digest.reversed()] {
            #expect(try alice.login("session", "\(waiting.code):\(hex(other))", at: fixture).status == 412)
        }
        let login = try DirectRequest(alice, "session", "\(waiting.code):\(hex(digest))")
        let outcome = try fixture.outcome("POST", "/mpinDirect", login.body)
        #expect(try waiting.enter(at: fixture).string("userId") == "alice")
        #expect(outcome.answer?.status == 200)
    }

    @Test func `an unknown number is reported only after a right PIN, and limited for the device`() throws {
        let (fixture, alice) = try Fixture.withDevice(configuration: "failures_per_source = 3\n")
        let bob = try fixture.device("bob")
        #expect(try alice.login(pin: "9999", "session", "1234567", at: fixture).status == 401)
        #expect(try alice.login("session", "1234567", at: fixture).status == 412)
        #expect(try fixture.shown().failures == 0)
        #expect(try alice.login("session", "1234567", at: fixture).status == 412)
        let limited = try alice.login("session", "1234567", at: fixture)
        #expect(limited.status == 429 && limited.string("message").contains("from this device"))
        #expect(limited.object["retryAfter"] as? Int == 30)
        // Others of the same source are not limited by that, nor is any other login.
        #expect(try bob.login("session", "1234567", at: fixture).status == 412)
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `a registration's own request is done with its login`() throws {
        let other = try fixture.device()
        let listed = try alice.login("devices", at: fixture)
        #expect((listed.object["devices"] as? [[String: Any]])?.count == 2 && listed.string("userId") == "alice")
        #expect(try alice.login("invite", "120", at: fixture).string("code").count == 19)
        #expect(try alice.login("invite", at: fixture).status == 200)
        let made = try alice.login("makeBackupCodes", "3", at: fixture)
        let batch = try #require(made.object["batch"] as? Int)
        #expect(try alice.login("confirmBackupCodes", String(batch), at: fixture).object["backupCodes"] as? Int == 3)
        #expect(try alice.login("signOut", "all", at: fixture).object["count"] as? Int == 0)
        #expect(try alice.login("revokeDevice", "2", at: fixture).status == 200)
        #expect(try other.login(at: fixture).status == 403)
        #expect(try alice.login("revoke", alice.enrolled.mpinID, at: fixture).object["revoked"] as? Bool == true)
        #expect(try alice.login(at: fixture).status == 403)
    }

    @Test(.onSQLite) func `a device that is revoked after its PIN was judged makes no code valid`() throws {
        let made = try alice.login("makeBackupCodes", "1", at: fixture)
        let batch = try #require(made.object["batch"] as? Int)
        let code = try #require((made.object["codes"] as? [String])?.first)
        // Another process revokes it as soon as the attempt is reserved.
        let revoke = "CREATE TRIGGER late AFTER INSERT ON attempt BEGIN UPDATE registration SET revoked = 1; END"
        try fixture.database.execute(revoke)
        for (purpose, argument) in [("confirmBackupCodes", String(batch)), ("makeBackupCodes", "1"), ("invite", "")] {
            try fixture.change("UPDATE registration SET revoked = NULL")
            #expect(try alice.login(purpose, argument, at: fixture).status == 422, "\(purpose)")
        }
        #expect(try fixture.put("/rps/user", ["userId": "alice", "activateCode": code]).status == 403)
    }

    @Test func `an impossible request with a right PIN is no verdict on the device`() throws {
        let bob = try fixture.device("bob")
        #expect(try alice.login(pin: "9999", "devices", at: fixture).status == 401)
        for (purpose, argument) in [
            ("revoke", "7b7d"), ("revoke", bob.enrolled.mpinID), ("revokeDevice", "9"), ("confirmBackupCodes", "9"),
        ] {
            let refused = try alice.login(purpose, argument, at: fixture)
            #expect(refused.status == 422 && !refused.string("message").isEmpty, "\(purpose)")
        }
        #expect(try fixture.shown().wrongSinceLastLogin == 0)
        #expect(try bob.login(at: fixture).status == 200)
        // Suspended, with one device that an administrator has let in again.
        _ = try fixture.administrator.revoke("alice", reason: nil)
        _ = try fixture.administrator.restore("alice", device: 1)
        for (purpose, argument) in [("invite", ""), ("makeBackupCodes", "1")] {
            let refused = try alice.login(purpose, argument, at: fixture)
            #expect(refused.status == 422 && refused.string("message").contains("suspended"), "\(purpose)")
            #expect(!refused.string("message").contains("revoked"))
        }
        #expect(try alice.login(at: fixture).status == 200)
    }
}
