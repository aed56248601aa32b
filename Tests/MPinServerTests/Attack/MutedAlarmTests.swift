// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// Requests that fill the audit log, and the alarms that stay in it all the same.
@Suite struct MutedAlarmTests {
    private func lines(_ kind: String, in fixture: Fixture) throws -> [String] {
        try fixture.auditText().split(separator: "\n").map(String.init).filter { $0.hasPrefix(kind + " ") }
    }

    @Test func `a login that was revoked meanwhile is seen, whatever came before it`() throws {
        let fixture = try Fixture()
        let second = try Login(fixture.enroll(), at: fixture).passTwo(at: fixture)
        for _ in 0..<70 { #expect(try fixture.put("/rps/user", ["userId": "alice", "mobile": 1]).status == 403) }
        _ = try fixture.administrator.revoke("alice", reason: nil)
        #expect(try Login.redeem(second, at: fixture).status == 403)
        #expect(try lines("refused", in: fixture) == ["refused alice uid 1000 - revoked"])
    }

    @Test func `refused attempts beyond the limit are counted in one line for each source`() throws {
        let fixture = try Fixture()
        func refuse(_ count: Int, _ user: UInt32) throws {
            let peer = fixture.from(.user(user))
            for _ in 0..<count { #expect(try peer.put("/rps/user", ["userId": "alice"]).status == 403) }
        }
        try refuse(64, 1)
        try refuse(61, 2)
        // By then two more lines are allowed.
        fixture.clock.advance(2)
        try refuse(3, 1)
        #expect(try lines("register-refused", in: fixture).count == 60 + 60 + 2)
        #expect(try lines("throttle", in: fixture) == [])
        fixture.clock.advance(60)
        #expect(
            try lines("throttle", in: fixture) == [
                "throttle - uid 1 - 5 more refused attempts, from 2026-06-15T12:00:00Z to "
                    + "2026-06-15T12:00:02Z"
            ])
        // One by itself has its own line after all.
        #expect(try lines("register-refused", in: fixture).count == 60 + 60 + 2 + 1)
        try refuse(1, 1)
        #expect(try lines("register-refused", in: fixture).count == 60 + 60 + 2 + 1 + 1)
    }

    @Test func `after 30 logins of a user, further ones share a line`() throws {
        let fixture = try Fixture()
        let (alice, bob, carol) = try (fixture.device("alice"), fixture.device("bob"), fixture.device("carol"))
        for number in 0..<40 {
            if number == 35 { fixture.clock.advance(3) }
            #expect(try alice.login(at: fixture).status == 200)
        }
        #expect(try alice.login(pin: "9999", at: fixture).status == 401)
        for _ in 0..<2 { #expect(try bob.login(at: fixture).status == 200) }
        func logins(_ user: String) throws -> [String] { try lines("login \(user)", in: fixture) }
        #expect(try logins("alice").count == 30)
        #expect(try logins("bob").count == 2)
        #expect(try lines("wrong-pin", in: fixture).count == 1)
        fixture.clock.advance(60)
        #expect(try carol.login(at: fixture).status == 200)
        let shared = try logins("alice")
        #expect(shared.count == 31 && shared.dropLast().allSatisfy { $0 == "login alice uid 1000 alice -" })
        #expect(
            shared.last
                == "login alice uid 1000 alice 10 more logins, from 2026-06-15T12:00:00Z to 2026-06-15T12:00:03Z")
        // The next minute begins with lines of their own.
        #expect(try alice.login(at: fixture).status == 200)
        #expect(try logins("alice").count == 32)
    }

    @Test func `the shared line is written when the server stops`() throws {
        let (server, alice) = try RunningServer.withDevice()
        for _ in 0..<35 { #expect(try alice.login(at: server.peer).status == 200) }
        #expect(server.stop() == 0)
        let events = try server.command("audit", "--user", "alice").object["events"] as? [[String: Any]] ?? []
        let details = events.filter { $0["event"] as? String == "login" }.map { $0["detail"] as? String }
        let more = details.compactMap { $0 }.compactMap { Int($0.prefix { $0 != " " }) }.reduce(0, +)
        #expect(details.count { $0 == nil } + more == 35, "\(details)")
    }
}
