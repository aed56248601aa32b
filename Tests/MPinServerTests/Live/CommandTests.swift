// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The command line: outputs and exit codes.
@Suite struct CommandTests {
    private func directory() -> String { NSTemporaryDirectory() + "mpin-command-" + UUID().uuidString.prefix(8) }

    @Test func `a new directory, an invitation, and one object each`() throws {
        let path = directory()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let made = try Program.run(["init", "--dir", path, "--public-url", "https://login.example.org", "--json"])
        #expect(made.code == 0)
        #expect(made.object["ok"] as? Bool == true)
        #expect(made.object["serverId"] as? String != nil)
        let invited = try Program.run(["invite", "alice", "--dir", path, "--ttl", "60", "--json"])
        #expect(invited.object["ok"] as? Bool == true)
        let code = invited.object["code"] as? String ?? ""
        #expect(code.range(of: "^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$", options: .regularExpression) != nil)
        #expect(try Program.run(["invite", "alice", "--dir", path]).output.hasPrefix(code) == false)
        let list = try Program.run(["user", "list", "--dir", path, "--json"]).object["users"] as? [[String: Any]]
        #expect(list?.first?["userId"] as? String == "alice")
        #expect(list?.first?["state"] as? String == "INVITED")
        let audit = try Program.run(["audit", "--dir", path])
        #expect(audit.output.split(separator: "\n").count == 3)
        #expect(!audit.output.contains(code))
    }

    @Test func `several users are invited, listed and canceled, all or none`() throws {
        let server = try RunningServer(configuration: "public_url = https://mpin.example.org\n")
        for name in ["carol smith", "", "a\tb", String(repeating: "x", count: 257)] {
            let refused = try server.command("invite", "carol", name)
            let error = refused.object["error"] as? [String: Any]
            #expect(
                refused.code == 65 && (error?["message"] as? String)?.contains("not a user ID") == true, "\(refused)")
        }
        let longest = String(repeating: "x", count: 256)
        let made = try server.command("invite", "alice", "bob@example.org", longest, "--ttl", "3d")
        let all = try #require(made.object["invitations"] as? [[String: Any]])
        #expect(all.map { $0["userId"] as? String } == ["alice", "bob@example.org", longest])
        for one in all {
            #expect(one["invitation"] as? String == "mpin.example.org/" + (one["code"] as? String ?? ""), "\(one)")
        }
        let list = try server.command("invite", "--list")
        let pending = try #require(list.object["invitations"] as? [[String: Any]])
        #expect(pending.map { $0["userId"] as? String } == ["alice", "bob@example.org", longest])
        #expect(all.allSatisfy { !list.output.contains($0["code"] as? String ?? "-") })
        #expect(try server.command("invite", "--cancel", "alice", "carol").code == 67)
        #expect(try server.command("invite", "--cancel", "alice", longest).code == 0)
        let rest = try Program.run(["invite", "--list", "--dir", server.directory]).output
        #expect(rest.hasPrefix("bob@example.org\t") && rest.split(separator: "\n").count == 1, "\(rest)")
        let audit = try Program.run(["audit", "--user", "alice", "--dir", server.directory]).output
        #expect(audit.contains("invite-cancel"), "\(audit)")
    }

    @Test(arguments: [
        ("24h", "valid 24 hours (until "), ("3d", "valid 3 days (until "), ("900", "valid 15 minutes (until "),
        ("90s", "valid 90 seconds (until "), ("365d", "valid 365 days (until 20"),
    ])
    func `an invitation says how long it is valid`(time: String, text: String) throws {
        let server = try RunningServer(starts: false)
        let run = try Program.run(["invite", "alice", "--ttl", time, "--dir", server.directory])
        #expect(run.output.contains(", and is " + text), "\(run)")
        for wrong in ["", "3w", "-1d", "1.5h", "h"] {
            #expect(try Program.run(["invite", "alice", "--ttl=\(wrong)", "--dir", server.directory]).code == 64)
        }
        #expect(try Program.run(["invite", "alice", "--ttl", "366d", "--dir", server.directory]).code == 65)
        for words in [
            ["--list", "alice"], ["--cancel"], [], ["--list", "--cancel"], ["--cancel", "alice", "--ttl", "1d"],
        ] {
            #expect(try Program.run(["invite"] + words + ["--dir", server.directory]).code == 64, "\(words)")
        }
    }

    @Test func `hosts get a secret, and lose it`() throws {
        let server = try RunningServer()
        let added = try server.command("host", "add", "gate.example.org")
        #expect(added.object["ok"] as? Bool == true)
        let secret = added.object["secret"] as? String ?? ""
        #expect(secret.range(of: "^[0-9a-f]{64}$", options: .regularExpression) != nil)
        let list = try server.command("host", "list").object["hosts"] as? [[String: Any]]
        #expect(list?.map { $0["host"] as? String } == ["gate.example.org"])
        var host = server.peer
        host.headers = ["Authorization: bearer \(secret)"]
        let opened = try host.post("/rps/getAccessNumber", ["account": "alice", "service": "login"])
        let details = try server.peer.post(
            "/rps/codeStatus", ["status": "wid", "wid": opened.string("accessNumber")])
        let requester = details.object["requester"] as? [String: Any]
        #expect(requester?["host"] as? String == "gate.example.org")
        #expect(requester?["verified"] as? Bool == true)
        #expect(added.errors.isEmpty, "\(added.errors)")
        let again = try server.command("host", "add", "gate.example.org")
        #expect(
            again.code == 0 && again.errors.contains("the previous secret of gate.example.org no longer works"),
            "\(again.errors)")
        #expect(try host.post("/rps/getAccessNumber", [:] as [String: Any]).status == 401)
        #expect(try server.command("host", "remove", "gate.example.org").code == 0)
        #expect(try host.post("/rps/getAccessNumber", [:] as [String: Any]).status == 401)
        #expect(try server.command("host", "remove", "gate.example.org").code == 67)
        for name in ["", "a\nb"] { #expect(try server.command("host", "add", name).code == 65) }
    }

    @Test func `unblock names the next step`() throws {
        let server = try RunningServer()
        let bob = try server.device("bob")
        for _ in 0..<3 { _ = try bob.login(pin: "9999", at: server.peer) }
        let text = try Program.run(["user", "unblock", "bob", "--dir", server.directory]).output
        #expect(text.contains("enters the old PIN: sudo mpin-enroll recover"), "\(text)")
    }

    @Test func `each failure has its exit code and its object`() throws {
        let path = directory()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let missing = try Program.run(["invite", "alice", "--dir", path, "--json"])
        #expect(missing.code == 78)
        #expect(missing.object["ok"] as? Bool == false)
        #expect((missing.object["error"] as? [String: Any])?["code"] as? String == "CONFIGURATION")
        #expect(mkdir(path, 0o700) == 0)
        #expect(try Program.run(["invite", "alice", "--dir", path]).code == 78)
        #expect(try Program.run(["init", "--dir", path]).code == 0)
        let twice = try Program.run(["init", "--dir", path])
        #expect(twice.code == 73)
        #expect(twice.output.isEmpty)
        #expect(twice.errors.contains("already initialized"))
        #expect(try Program.run(["init", "--dir", "/dev/null/x"]).code == 73)
        #expect(try Program.run(["invite", "", "--dir", path]).code == 65)
        #expect(try Program.run(["invite", "alice", "--ttl", "0", "--dir", path]).code == 65)
        #expect(try Program.run(["user", "show", "nobody", "--dir", path]).code == 67)
        #expect(try Program.run(["user", "revoke", "nobody", "--dir", path, "--json"]).code == 67)
        #expect(try Program.run(["serve", "--dir", path, "--listen", "nonsense"]).code == 64)
        #expect(try Program.run(["serve", "--dir", path]).code == 64)
        let unknown = try Program.run(["frobnicate", "--json"])
        #expect(unknown.code == 64)
        #expect(unknown.object["ok"] as? Bool == false)
        try Data("color = blue\n".utf8).write(to: URL(fileURLWithPath: path + "/server.conf"))
        let confused = try Program.run(["user", "list", "--dir", path])
        #expect(confused.code == 78)
        #expect(confused.errors.contains("server.conf:1"))
    }
}
