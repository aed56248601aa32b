// SPDX-License-Identifier: Apache-2.0
import GRDB
import MPinServer
import MPinServerStorage
import Testing

/// Changes of others in the middle of a change, in the shape of triggers: each condition matches the very statement
/// that writes.
@Suite struct InterleavingTests {
    private func begin(_ more: [String: Any] = [:], at fixture: Fixture) throws -> Answer {
        try fixture.put("/rps/user", ["userId": "alice", "mobile": 1].merging(more) { $1 })
    }

    private func again(_ begun: Answer, code: String, at fixture: Fixture) throws -> Answer {
        try fixture.put(
            "/rps/user/\(begun.string("mpinId"))",
            ["userId": "alice", "mobile": 1, "regOTT": begun.string("regOTT"), "activateCode": code])
    }

    /// Does something while a change is made by others.
    private func during(
        _ event: String, _ change: String, at fixture: Fixture, _ body: () throws -> Answer
    ) throws -> Answer {
        try fixture.database.execute("CREATE TRIGGER beside AFTER \(event) BEGIN \(change); END")
        defer { try? fixture.database.write { try $0.execute(sql: "DROP TRIGGER beside") } }
        return try body()
    }

    @Test(.onSQLite)
    func `a registration that is revoked while its code is used up is not activated, and the code stays good`()
        throws
    {
        let fixture = try Fixture(configuration: "hold_unverified = yes\n")
        let begun = try begin(at: fixture)
        let code = try fixture.invite("alice")
        let refused = try during(
            "UPDATE ON invitation", "UPDATE registration SET revoked = 1, revoker = 'device'", at: fixture
        ) { try again(begun, code: code, at: fixture) }
        #expect(refused.status == 403)
        let answer = try again(begun, code: code, at: fixture)
        #expect(answer.status == 200 && answer.object["active"] as? Bool == true)
    }

    @Test(.onSQLite) func `a code that is withdrawn while it replaces a registration replaces nothing`() throws {
        let fixture = try Fixture()
        let code = try fixture.invite("alice")
        let first = try begin(["activateCode": code], at: fixture)
        let refused = try during(
            "UPDATE OF revoker ON registration", "UPDATE invitation SET expires = 0", at: fixture
        ) { try begin(["activateCode": code], at: fixture) }
        #expect(refused.status == 403)
        #expect(try !fixture.auditText().contains("replace alice"))
        _ = try ClientRegistration.finish("alice", first, at: fixture)
        #expect(try fixture.administrator.user("alice").devices.count == 1)
    }

    @Test(.onSQLite, .enabled(if: MailPeer.isAvailable))
    func `the digits of a mail are compared only after there was a try for them`() throws {
        let mails = try MailFixture()
        let begun = try mails.begin("alice@example.org")
        let digits = try mails.peer.mail().digits
        let refused = try during("INSERT ON mailing", "UPDATE mail SET tries = 5", at: mails.fixture) {
            try mails.again(begun, "alice@example.org", code: digits)
        }
        #expect(refused.status == 403)
        let answer = try mails.again(begun, "alice@example.org", code: digits)
        #expect(answer.status == 200 && answer.object["active"] as? Bool == true)
    }
}
