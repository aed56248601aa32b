// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import Testing

/// The server key after a restore: that of the backup, and never silently another one.
@Suite(.serialized) struct RestoredServerKeyTests {
    private func fingerprint(_ server: RunningServer) throws -> String {
        try KeyFingerprint(of: ServerKeyPeer(at: server.peer).publicKey).text
    }

    @Test func `a restore of the same server keeps its key, whether the replaced database can be read or not`() throws {
        let server = try RunningServer()
        let fingerprint = try fingerprint(server)
        let backup = server.directory + "/new"
        #expect(try server.command("backup", backup).code == 0)
        #expect(server.stop() == 0)
        let file = URL(filePath: server.directory + "/state/mpin.sqlite")
        for replaced in ["whole", "lost", "missing"] {
            if replaced == "lost" { try Data("lost".utf8).write(to: file) }
            if replaced == "missing" { try FileManager.default.removeItem(at: file) }
            let restored = try server.command("restore", backup)
            #expect(restored.code == 0 && restored.object["serverKeyChanged"] as? Bool == false, "\(restored.output)")
            #expect(restored.object["fingerprint"] as? String == fingerprint)
        }
        try server.start()
        #expect(try self.fingerprint(server) == fingerprint)
    }

    @Test func `a restore over another server's database warns, with the fingerprint and the command`() throws {
        let server = try RunningServer()
        let fingerprint = try fingerprint(server)
        let (backup, directory) = (server.directory + "/new", server.directory + "/other")
        #expect(try server.command("backup", backup, "--with-key").code == 0)
        #expect(server.stop() == 0)
        for json in [[], ["--json"]] {
            try? FileManager.default.removeItem(atPath: directory)
            #expect(try Program.run(["init", "--dir", directory]).code == 0)
            let restored = try Program.run(
                ["restore", backup, "--key", backup + ".key", "--dir", directory] + json)
            #expect(restored.code == 0, "\(restored.errors)")
            if json.isEmpty {
                #expect(
                    restored.output.contains("\nsudo mpin-enroll server trust \(fingerprint)\n"), "\(restored.output)")
            } else {
                #expect(restored.object["serverKeyChanged"] as? Bool == true, "\(restored.output)")
                #expect(restored.object["fingerprint"] as? String == fingerprint)
            }
        }
    }
}
