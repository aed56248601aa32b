// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// Servers whose sealing key only the TPM of their machine opens.
    @Suite(.enabled(if: EmulatedTPM.program != nil)) struct SealedServerTests {
        @Test func `a server whose key is in the TPM serves, and its directory has no key`() throws {
            let server = try SealedServer()
            #expect(!SealedServer.isThere(server.plainKey))
            let attributes = try FileManager.default.attributesOfItem(atPath: server.sealedKey)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try server.serves())
            #expect(try server.run("invite", "alice").status == 0)
            server.stop()
            server.tpm.stop()
            try server.tpm.start()
            #expect(try server.serves())
            #expect(try server.run("init", "--seal", "tpm").status == 73)
        }

        @Test func `the recovery key is shown once, in groups, and is in no file`() throws {
            let server = try SealedServer()
            let groups = server.recoveryKey.split(separator: "-")
            #expect(groups.count == 14 && groups.allSatisfy { $0.count == 4 })
            let sealed = try String(contentsOfFile: server.sealedKey, encoding: .utf8)
            #expect(sealed.contains("key \(server.recoveryName)\n") && !sealed.contains(groups[0]))
            for command in [["user", "list"], ["audit"], ["backup", server.directory + "/copy"]] {
                let run = try Run(Products.server, command + ["--dir", server.directory])
                #expect(run.status == 0 && !run.all.contains(server.recoveryKey), "\(run.all)")
            }
        }

        @Test func `the disk in another machine opens nothing, and the recovery key seals it anew`() throws {
            let server = try SealedServer(), other = try EmulatedTPM()
            try server.move(to: other)
            for command in [["invite", "alice"], ["serve", "--listen", "unix:" + server.directory + "/s.sock"]] {
                let run = try Run(Products.server, command + ["--dir", server.directory])
                #expect(
                    run.status == 78 && run.errors.contains("it was cleared, this is another machine"), "\(run.all)")
                #expect(run.errors.contains(server.recoveryName) && run.errors.contains("--recovery-key-file -"))
            }
            let typed = server.recoveryKey.lowercased().replacing("-", with: " ") + "\n"
            let resealed = try server.run("reseal", "--recovery-key-file", "-", input: typed)
            #expect(resealed.status == 0 && !resealed.output.contains(server.recoveryKey.prefix(9)), "\(resealed.all)")
            #expect(try server.serves())
            #expect(try server.run("invite", "alice").status == 0)
        }

        @Test func `a TPM that was cleared, is gone or silent: a sentence each, and nothing is lost`() throws {
            let server = try SealedServer()
            func code() throws -> (String?, Int32) {
                let run = try server.run("invite", "alice", "--json")
                return (run.errorCode, run.status)
            }
            server.tpm.fallSilent()
            let start = ContinuousClock.now
            #expect(try code() == ("TPM_SILENT", 69))
            #expect(ContinuousClock.now - start < .seconds(60))
            server.tpm.speakAgain()
            server.tpm.stop()
            #expect(try code() == ("TPM_MISSING", 72))
            let refused = try server.run("serve", "--listen", "unix:" + server.directory + "/s.sock")
            #expect(refused.status == 72 && refused.errors.contains("there is no TPM at"), "\(refused.all)")
            try server.tpm.start()
            #expect(try server.run("invite", "alice").status == 0)
            try server.tpm.clear()
            #expect(try code() == ("TPM_CLEARED", 78))
            try SealedServer.write(server.recoveryKey, to: server.directory + "/written")
            let file = server.directory + "/written"
            #expect(try server.run("reseal", "--recovery-key-file", file, "--seal", "file").status == 0)
            #expect(SealedServer.isThere(server.plainKey) && !SealedServer.isThere(server.sealedKey))
            #expect(try server.run("user", "list").output.contains("alice"))
        }

        @Test func `without a TPM nothing is made, and nothing is left`() throws {
            let directory = "/tmp/mpin-\(UUID().uuidString.prefix(8))"
            defer { try? FileManager.default.removeItem(atPath: directory) }
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try SealedServer.write("tpm_device = device:/dev/mpin-no-such\n", to: directory + "/server.conf")
            let run = try Run(Products.server, ["init", "--seal", "tpm", "--dir", directory])
            #expect(run.status == 72 && run.errors.contains("there is no TPM"), "\(run.all)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == [
                    "serve.lock", "server.conf",
                ])
            #expect(try Run(Products.server, ["init", "--dir", directory]).status == 0)
            try SealedServer.write("tpm_device = cmd:touch /tmp/mpin-touched\n", to: directory + "/server.conf")
            #expect(try Run(Products.server, ["reseal", "--dir", directory]).status == 78)
        }

        @Test func `a file becomes a sealed key and one again, and open invitations stay good`() throws {
            let server = try SealedServer()
            #expect(try server.run("reseal", "--seal", "file").status == 0)
            #expect(!SealedServer.isThere(server.sealedKey))
            let back = try server.run("reseal", "--json").json()
            #expect(back["recoveryKey"] as? String == server.recoveryKey)
            #expect(!SealedServer.isThere(server.plainKey) && SealedServer.isThere(server.sealedKey))
            #expect(try server.serves())
            let running = try server.run("reseal", "--seal", "file")
            #expect(running.status == 69 && SealedServer.isThere(server.sealedKey), "\(running.all)")
            server.stop()
            let events = try server.run("audit").output
            #expect(events.contains("reseal"), "\(events)")
        }
    }
}
