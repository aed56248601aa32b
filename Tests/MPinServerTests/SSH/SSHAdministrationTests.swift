// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinServer
import Testing

/// `mpin-server ssh`, beside a server that runs.
@Suite struct SSHAdministrationTests {
    private func ask(_ device: Device, at server: RunningServer) throws -> Answer {
        try device.login("sshCertificate", SSHKeyFile.sample, at: server.peer)
    }

    @Test func `a running server uses every change at once`() throws {
        let (server, alice) = try RunningServer.withDevice()
        #expect(try ask(alice, at: server).status == 422)
        let enabled = try server.command("ssh", "enable")
        #expect(enabled.code == 0 && enabled.object["created"] as? Bool == true)
        let allowed = try server.command("ssh", "allow", "alice", "--account", "db", "--account", "alice")
        #expect(allowed.object["accounts"] as? [String] == ["alice", "db"])
        let fingerprint = try #require(enabled.object["fingerprint"] as? String)
        let lines = try SSHKeyFile.lines(ask(alice, at: server).string("sshCertificate"))
        #expect(lines.contains("Signing CA: ECDSA \(fingerprint) (using ecdsa-sha2-nistp256)"))
        // A second one changes nothing.
        let again = try server.command("ssh", "enable")
        #expect(again.object["created"] as? Bool == false && again.object["fingerprint"] as? String == fingerprint)
        let script = try #require(server.command("ssh", "host-script").object["script"] as? String)
        let key = try #require(server.command("ssh", "key").object["key"] as? String)
        #expect(script.contains("'\(key)'") && !script.contains("@CA@"))
        #expect(try server.command("ssh", "deny", "alice").code == 0)
        #expect(try server.command("ssh", "deny", "alice").code == 67)
        #expect(try ask(alice, at: server).status == 422)
        #expect(try server.command("ssh", "disable", "--yes").code == 0)
        let log = try Program.run(["audit", "--dir", server.directory]).output
        for event in ["ssh-enable", "ssh-allow", "ssh-deny", "ssh-disable"] {
            #expect(log.components(separatedBy: "\t\(event)").count == 2, "\(log)")
        }
    }

    @Test func `changes mention valid certificates, also of a user who may get no more`() throws {
        let (server, alice) = try RunningServer.withDevice()
        _ = try server.device("bob")
        #expect(try server.command("ssh", "enable").code == 0)
        for user in ["alice", "bob"] { #expect(try server.command("ssh", "allow", user).code == 0) }
        #expect(try ask(alice, at: server).status == 200)
        #expect(try server.command("ssh", "deny", "alice").code == 0)
        for words in [["revoke"], ["purge", "--yes"]] {
            for (user, hasCertificate) in [("alice", true), ("bob", false)] {
                let changed = try Program.run(["user"] + words + [user, "--dir", server.directory])
                #expect(
                    changed.code == 0
                        && changed.output.contains("existing ssh certificates until they expire") == hasCertificate,
                    "\(words) \(user): \(changed.output)")
            }
        }
        // A user who never had a device.
        #expect(try server.command("ssh", "allow", "carol").code == 0)
        #expect(try server.command("user", "purge", "carol", "--yes").code == 0)
        #expect((try server.command("ssh", "list").object["users"] as? [Any])?.isEmpty == true)
    }

    @Test func `the CA survives a rotation, and a restore brings back the one of the backup`() throws {
        let (server, alice) = try RunningServer.withDevice()
        let before = server.directory + "/before", after = server.directory + "/after"
        #expect(try server.command("backup", before, "--with-key").code == 0)
        let key = try #require(server.command("ssh", "enable").object["key"] as? String)
        #expect(try server.command("ssh", "allow", "alice").code == 0)
        #expect(try server.command("backup", after, "--with-key").code == 0)
        #expect(server.stop() == 0)
        #expect(try server.command("rotate").code == 0)
        #expect(try server.command("ssh", "key").object["key"] as? String == key)
        try server.start()
        #expect(try ask(alice, at: server).status == 200)
        #expect(server.stop() == 0)
        #expect(try server.command("restore", before, "--key", before + ".key").code == 0)
        #expect(try server.command("ssh", "key").code == 67)
        #expect(try server.command("restore", after, "--key", after + ".key").code == 0)
        #expect(try server.command("ssh", "key").object["key"] as? String == key)
        #expect((try server.command("ssh", "list").object["users"] as? [Any])?.count == 1)
    }

    @Test func `a deleted CA is nowhere in the directory`() throws {
        let server = try RunningServer(starts: false)
        #expect(try server.command("ssh", "enable").code == 0)
        let queue = try DatabaseQueue(path: server.directory + "/state/mpin.sqlite")
        let sealed = try queue.read { try String.fetchOne($0, sql: "SELECT value FROM setting WHERE name = 'ssh CA'") }
        try queue.close()
        let text = Data(try #require(sealed).utf8)
        func files() throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: server.directory).filter { name in
                FileManager.default.contents(atPath: server.directory + "/" + name)?.range(of: text) != nil
            }
        }
        #expect(try !files().isEmpty)
        let refused = try server.command("ssh", "disable")
        #expect(refused.code == 64 && refused.output.contains("ssh disable --yes"))
        #expect(try server.command("ssh", "key").code == 0)
        #expect(try server.command("ssh", "disable", "--yes").code == 0)
        #expect(try files().isEmpty)
        #expect(try server.command("ssh", "disable", "--yes").code == 67)
    }

    @Test func `a damaged CA signs nothing, and can be deleted`() throws {
        let (server, alice) = try RunningServer.withDevice()
        #expect(try server.command("ssh", "enable").code == 0)
        #expect(try server.command("ssh", "allow", "alice").code == 0)
        let queue = try DatabaseQueue(path: server.directory + "/state/mpin.sqlite")
        try queue.write {
            let other = "UPDATE setting SET value = substr(value, 1, length(value) - 2) || '5a' WHERE name = 'ssh CA'"
            try $0.execute(sql: other)
        }
        for words in [["enable"], ["key"], ["host-script"]] {
            let refused = try Program.run(["ssh"] + words + ["--dir", server.directory])
            #expect(refused.code == 78 && refused.errors.contains("ssh disable"), "\(words): \(refused.errors)")
        }
        #expect(try ask(alice, at: server).status == 500)
        #expect(try !Program.run(["audit", "--dir", server.directory]).output.contains("ssh-certificate"))
        #expect(try server.command("ssh", "disable", "--yes").code == 0)
        #expect(try server.command("ssh", "enable").object["created"] as? Bool == true)
        #expect(try ask(alice, at: server).status == 200)
    }

    @Test func `the list shows who has no device yet`() throws {
        let (server, alice) = try RunningServer.withDevice()
        #expect(try ask(alice, at: server).status == 422)
        for user in ["alice", "bob"] { #expect(try server.command("ssh", "allow", user).code == 0) }
        let users = try #require(server.command("ssh", "list").object["users"] as? [[String: Any]])
        #expect(users.map { $0["userId"] as? String } == ["alice", "bob"])
        #expect(users.map { $0["devices"] as? Int } == [1, 0])
    }

    @Test func `what is missing or taken away is said`() throws {
        let server = try RunningServer(starts: false)
        let list = ["ssh", "list", "--dir", server.directory]
        let empty = try Program.run(list)
        #expect(empty.code == 0 && empty.output.isEmpty, "\(empty)")
        #expect(
            empty.errors == """
                No user may log in over ssh.
                There is no SSH CA. Run: mpin-server ssh enable --dir \(server.directory)

                """, "\(empty)")
        #expect(try server.command("ssh", "enable").code == 0)
        let allow = ["ssh", "allow", "alice", "--dir", server.directory, "--account"]
        #expect(try !Program.run(allow + ["alice"]).output.contains("No longer"))
        #expect(try !Program.run(allow + ["alice", "--account", "db"]).output.contains("No longer"))
        #expect(try Program.run(allow + ["deploy"]).output.contains("as: deploy\nNo longer: alice, db.\n"))
        let full = try Program.run(list)
        #expect(full.output == "alice\t0\tdeploy\n" && full.errors.isEmpty, "\(full)")
    }

    @Test(arguments: [
        (["alice@example.org"], "--account NAME"), (["alice", "--account", "root"], "root cannot log in"),
        (["root"], "root cannot log in"), (["alice", "--account", "a,b"], "not the name of an account"),
        (["alice", "--account", "a b"], "not the name of an account"),
        (["alice", "--account=-a"], "not the name of an account"),
        (["alice", "--account", ""], "not the name of an account"),
        (["alice", "--account", String(repeating: "a", count: 33)], "not the name of an account"),
        ([""], "not valid"), ((0..<33).reduce(into: ["alice"]) { $0 += ["--account", "a\($1)"] }, "at most 32"),
    ])
    func `accounts that no certificate may name are refused`(words: [String], reason: String) throws {
        let server = try RunningServer(starts: false)
        let refused = try Program.run(["ssh", "allow"] + words + ["--dir", server.directory])
        #expect(refused.code == 65 && refused.errors.contains(reason), "\(refused.errors)")
        #expect((try server.command("ssh", "list").object["users"] as? [Any])?.isEmpty == true)
    }
}
