// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinCrypto
import Testing

/// The server key after a restore: never silently another one.
@Suite(.serialized) struct RestoredServerKeyTests {
    /// A server from before, with a backup of that time, after its first start with a key.
    private func upgraded() throws -> (server: RunningServer, backup: String, fingerprint: String) {
        let server = try RunningServer()
        #expect(server.stop() == 0)
        let backup = server.directory + "/copy"
        try DatabaseQueue(path: server.directory + "/mpin.sqlite").write { try ServerBefore.make($0) }
        #expect(try server.command("backup", backup, "--with-key").code == 0)
        try server.start()
        return (server, backup, try fingerprint(server))
    }

    private func fingerprint(_ server: RunningServer) throws -> String {
        try KeyFingerprint(of: ServerKeyPeer(at: server.peer).publicKey).text
    }

    @Test(arguments: [false, true])
    func `a backup without a key gets the key of the replaced database`(isRotated: Bool) throws {
        let (server, backup, fingerprint) = try upgraded()
        #expect(server.stop() == 0)
        if isRotated { #expect(try server.command("rotate").code == 0) }
        let restored = try server.command("restore", backup, "--key", backup + ".key")
        #expect(restored.code == 0, "\(restored.output)")
        #expect(restored.object["fingerprint"] as? String == fingerprint)
        #expect(restored.object["serverKeyChanged"] as? Bool == false)
        try server.start()
        #expect(try self.fingerprint(server) == fingerprint)
        let audit = try server.command("audit").object["events"] as? [[String: Any]] ?? []
        let details = audit.filter { $0["event"] as? String == "server-key" }.map { $0["detail"] as? String }
        #expect(details == ["\(fingerprint), from the replaced database"])
    }

    @Test func `without one to carry over, the output has the fingerprint of the new key and the command`() throws {
        let (server, backup, former) = try upgraded()
        #expect(server.stop() == 0)
        // A new server in the same place is another server, whose key no device of this one knows.
        let directory = server.directory + ".other"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        for isThere in [false, true] {
            try? FileManager.default.removeItem(atPath: directory)
            if isThere { #expect(try Program.run(["init", "--dir", directory]).code == 0) }
            let restored = try Program.run(["restore", backup, "--key", backup + ".key", "--dir", directory])
            #expect(restored.code == 0, "\(restored.errors)")
            let shown = try Program.run(["invite", "alice", "--json", "--dir", directory])
            let fingerprint = try #require(shown.object["fingerprint"] as? String)
            #expect(fingerprint != former)
            #expect(restored.output.contains("\nsudo mpin-enroll server trust \(fingerprint)\n"), "\(restored.output)")
        }
    }

    @Test func `a backup with a key restores it, and the output warns if the replaced database had another`() throws {
        let (server, old, _) = try upgraded()
        let fingerprint = try self.fingerprint(server)
        let backup = server.directory + "/new"
        #expect(try server.command("backup", backup, "--with-key").code == 0)
        #expect(server.stop() == 0)
        let same = try server.command("restore", backup)
        #expect(same.object["serverKeyChanged"] as? Bool == false)
        #expect(same.object["fingerprint"] as? String == fingerprint)
        // The database is lost, so the older backup brings another key, and the newer one the first key.
        try Data("lost".utf8).write(to: URL(filePath: server.directory + "/mpin.sqlite"))
        let lost = try server.command("restore", old)
        #expect(lost.code == 0 && lost.object["serverKeyChanged"] as? Bool == true, "\(lost.output)")
        let back = try server.command("restore", backup)
        #expect(back.code == 0 && back.object["serverKeyChanged"] as? Bool == true, "\(back.output)")
        #expect(back.object["fingerprint"] as? String == fingerprint)
        try server.start()
        #expect(try self.fingerprint(server) == fingerprint)
    }

    @Test func `what a database that cannot be read could tell is reported as not known`() throws {
        let (server, _, _) = try upgraded()
        let fingerprint = try self.fingerprint(server)
        let backup = server.directory + "/new"
        #expect(try server.command("backup", backup).code == 0)
        #expect(server.stop() == 0)
        let file = URL(filePath: server.directory + "/mpin.sqlite")
        for isThere in [true, false] {
            if isThere { try Data("lost".utf8).write(to: file) } else { try FileManager.default.removeItem(at: file) }
            let restored = try server.command("restore", backup)
            #expect(restored.code == 0 && restored.object["serverKeyChanged"] is NSNull, "\(restored.output)")
            #expect(restored.object["fingerprint"] as? String == fingerprint)
        }
        try Data("lost".utf8).write(to: file)
        let text = try Program.run(["restore", backup, "--dir", server.directory])
        #expect(
            text.output.contains("mpin-enroll server show\n\(fingerprint)\n")
                && text.output.contains("\nsudo mpin-enroll server trust \(fingerprint)\n"), "\(text.output)")
    }

    @Test func `a server that is named by its key never had another one`() throws {
        let server = try RunningServer()
        let backup = server.directory + "/new"
        #expect(try server.command("backup", backup).code == 0)
        #expect(server.stop() == 0)
        try Data("lost".utf8).write(to: URL(filePath: server.directory + "/mpin.sqlite"))
        let restored = try server.command("restore", backup)
        #expect(restored.code == 0 && restored.object["serverKeyChanged"] as? Bool == false, "\(restored.output)")
    }

    @Test func `a credential is the present key, and a key file of the same key is not stored beside it`() throws {
        let server = try RunningServer()
        let backup = server.directory + ".copy"
        let credentials = server.directory + ".credentials"
        defer { for path in [backup, credentials] { try? FileManager.default.removeItem(atPath: path) } }
        #expect(try server.command("backup", backup).code == 0)
        #expect(server.stop() == 0)
        try FileManager.default.createDirectory(atPath: credentials, withIntermediateDirectories: false)
        let (key, file) = (server.directory + "/seal.key", credentials + "/seal.key")
        try FileManager.default.moveItem(atPath: key, toPath: file)
        for more in [[], ["--key", file]] {
            let restored = try Program.run(
                at: "/usr/bin/env",
                ["CREDENTIALS_DIRECTORY=\(credentials)", Program.path, "restore", backup, "--dir", server.directory]
                    + more)
            #expect(restored.code == 0, "\(restored.errors)")
            #expect(!FileManager.default.fileExists(atPath: key))
        }
    }
}
