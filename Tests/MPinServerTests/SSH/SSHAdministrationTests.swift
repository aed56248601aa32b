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
        for words in [["revoke", "alice", "--device", "1"], ["purge", "bob", "--yes"]] {
            #expect(try server.command("ssh", "allow", words[1]).code == 0)
            let changed = try Program.run(["user"] + words + ["--dir", server.directory])
            #expect(changed.code == 0 && changed.output.contains("existing ssh certificates until they expire"))
        }
        #expect(try server.command("user", "restore", "alice", "--device", "1").code == 0)
        #expect(try server.command("ssh", "deny", "alice").code == 0)
        #expect(try server.command("ssh", "deny", "alice").code == 67)
        #expect(try ask(alice, at: server).status == 422)
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
        let key = try #require(server.command("ssh", "enable").object["key"] as? String)
        let blob = try #require(Data(base64Encoded: String(key.split(separator: " ")[1])))
        // The point, as the database spells it.
        let text = Data(hex(Array(blob.suffix(65))).utf8)
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

    /// The sealed private half, and the public half, which an attacker with the database could replace by his own.
    @Test(arguments: ["ssh CA", "ssh CA public key"])
    func `a damaged CA signs nothing, and can be deleted`(name: String) throws {
        let (server, alice) = try RunningServer.withDevice()
        #expect(try server.command("ssh", "enable").code == 0)
        #expect(try server.command("ssh", "allow", "alice").code == 0)
        let queue = try DatabaseQueue(path: server.directory + "/state/mpin.sqlite")
        try queue.write {
            let other = "UPDATE setting SET value = substr(value, 1, length(value) - 2) || '5a' WHERE name = ?"
            try $0.execute(sql: other, arguments: [name])
        }
        for words in [["enable"], ["key"], ["host-script"]] {
            let refused = try Program.run(["ssh"] + words + ["--dir", server.directory])
            #expect(refused.code == 78 && refused.errors.contains("ssh disable"), "\(words): \(refused.errors)")
        }
        if name == "ssh CA" {
            #expect(try ask(alice, at: server).status == 500)
            #expect(try !Program.run(["audit", "--dir", server.directory]).output.contains("ssh-certificate"))
        }
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

    @Test(arguments: [
        (["alice@example.org"], "--account NAME"), (["alice", "--account", "root"], "never for root"),
        (["root"], "never for root"), (["alice", "--account", "a,b"], "not the name of an account"),
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
