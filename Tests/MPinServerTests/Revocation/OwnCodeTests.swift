// SPDX-License-Identifier: Apache-2.0
import MPinServer
import Testing

/// The codes that users make for their own devices.
@Suite struct OwnCodeTests {
    private func register(_ code: String, at fixture: Fixture) throws -> Answer {
        try fixture.put("/rps/user", ["userId": "alice", "activateCode": code])
    }

    /// The holder of a lost device may have the codes of all devices.
    @Test func `what all devices have made ends when an administrator revokes one`() throws {
        let fixture = try Fixture()
        let (lost, kept) = (try fixture.device(), try fixture.device())
        let made = try lost.login("makeBackupCodes", "2", at: fixture)
        let codes = try #require(made.object["codes"] as? [String])
        let batch = try #require(made.object["batch"] as? Int)
        #expect(try lost.login("confirmBackupCodes", String(batch), at: fixture).status == 200)
        let begun = [
            try register(codes[0], at: fixture),
            try register(kept.login("invite", at: fixture).string("code"), at: fixture),
        ]
        #expect(begun.allSatisfy { $0.status == 200 })
        #expect(try fixture.administrator.revoke("alice", device: 1, reason: nil) == 1)
        for answer in begun {
            let path = "/rps/signature/\(answer.string("mpinId"))?regOTT=\(answer.string("regOTT"))"
            #expect(try fixture.get(path).status == 403)
        }
        #expect(try register(codes[1], at: fixture).status == 403)
        #expect(try kept.login(at: fixture).status == 200)
    }

    @Test func `a user makes only so many changes, and reads as often as before`() throws {
        let fixture = try Fixture()
        let (alice, bob) = (try fixture.device(), try fixture.device("bob"))
        let statuses = try (0..<62).map { _ in try alice.login("invite", at: fixture).status }
        #expect(statuses == Array(repeating: 200, count: 60) + [429, 429])
        #expect(try fixture.auditText().split(separator: "\n").count { $0.hasPrefix("invite alice ") } == 61)
        for (action, argument) in [("makeBackupCodes", "1"), ("revokeDevice", "1")] {
            #expect(try alice.login(action, argument, at: fixture).status == 429)
        }
        #expect(try alice.login("devices", at: fixture).status == 200)
        #expect(try bob.login("invite", at: fixture).status == 200)
        fixture.clock.advance(300)
        #expect(try alice.login("makeBackupCodes", "1", at: fixture).status == 200)
    }
}
