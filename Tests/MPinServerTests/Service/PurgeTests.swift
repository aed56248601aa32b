// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import Testing

/// `user purge`: all that is kept of a user.
@Suite(.serialized) struct PurgeTests {
    @Test func `only pseudonymous lines are left of a purged user`() throws {
        let server = try RunningServer()
        let alice = try server.enroll("alice-in-chains")
        let bob = try server.enroll("bob")
        _ = try server.command("invite", "alice-in-chains")
        #expect(try alice.login(at: server.peer).status == 200)
        #expect(try alice.login(pin: "9999", at: server.peer).status == 401)
        _ = try server.command("user", "revoke", "alice-in-chains", "--reason", "alice-in-chains left")
        // A good login is written a little later than what has to be durable.
        var before: [[String: Any]] = []
        #expect(
            try becomes {
                before =
                    try server.command("audit", "--user", "alice-in-chains").object["events"] as? [[String: Any]] ?? []
                return before.contains { $0["event"] as? String == "login" }
            })
        let done = try server.command("user", "purge", "alice-in-chains", "--yes")
        #expect(done.object["ok"] as? Bool == true)
        #expect(done.object["registrations"] as? Int == 1)
        #expect(done.object["wasSuspended"] as? Bool == true)
        let pseudonym = try #require(done.object["pseudonym"] as? String)
        #expect(pseudonym.wholeMatch(of: /purged-[0-9a-f]{8}/) != nil)
        let after = try server.command("audit", "--user", pseudonym).object["events"] as? [[String: Any]] ?? []
        let kinds = { (events: [[String: Any]]) in events.map { "\($0["time"] ?? "") \($0["event"] ?? "")" } }
        #expect(kinds(after).dropLast() == kinds(before)[...])
        #expect(after.last?["event"] as? String == "purge")
        #expect(after.allSatisfy { $0["source"] == nil && $0["detail"] == nil })
        // The data of the others is complete, and the user is unknown.
        #expect(try server.command("user", "show", "alice-in-chains").code == 67)
        #expect(try server.peer.get("/rps/timePermit/\(alice.mpinID)").status == 410)
        #expect(try bob.login(at: server.peer).status == 200)
        #expect(try server.command("audit", "--user", "bob").output.contains("uid "))
        #expect(server.stop() == 0)
        // Neither in a table nor in what SQLite has freed.
        let bytes = try Data(contentsOf: URL(filePath: server.directory + "/state/mpin.sqlite"))
        #expect(bytes.range(of: Data("alice-in-chains".utf8)) == nil)
        #expect(try server.command("user", "purge", "alice-in-chains", "--yes").code == 67)
        // A purged user who returns is a new user.
        try server.start()
        #expect(try server.enroll("alice-in-chains").login(at: server.peer).status == 200)
    }

    @Test func `a program has to say that it means it`() throws {
        let server = try RunningServer()
        _ = try server.enroll("alice")
        let asked = try server.command("user", "purge", "alice")
        #expect(asked.code == 64)
        let error = try #require(asked.object["error"] as? [String: Any])
        #expect((error["hint"] as? String)?.contains("user purge alice --yes --dir \(server.directory)") == true)
        #expect(try server.command("user", "show", "alice").code == 0)
        #expect(try Program.run(["user", "purge", "alice", "--dir", server.directory]).code == 64)
    }

    @Test func `devices are listed with their users, and revoked one by one`() throws {
        let server = try RunningServer()
        let (first, second) = (try server.enroll("alice"), try server.enroll("alice"))
        _ = try server.enroll("bob")
        let list = { (words: [String]) in
            try Program.run(["user", "devices"] + words + ["--dir", server.directory, "--json"]).object["devices"]
                as? [[String: Any]] ?? []
        }
        #expect(try list([]).map { "\($0["userId"] ?? "") \($0["number"] ?? 0)" } == ["alice 1", "alice 2", "bob 1"])
        let revoked = try server.command("user", "revoke", "alice", "--device", "1", "--reason", "lost")
        #expect(revoked.object["ok"] as? Bool == true)
        #expect(try list(["alice"]).map { $0["state"] as? String } == ["REVOKED", "ACTIVATED"])
        #expect(try server.peer.get("/rps/timePermit/\(first.mpinID)").status == 410)
        #expect(try second.login(at: server.peer).status == 200)
        #expect(try server.command("user", "revoke", "alice", "--device", "7").code == 67)
        #expect(try server.command("user", "devices", "carol").code == 67)
    }
}
