// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// Backups made before a rotation, on the machine whose TPM has sealed the former key.
    @Suite(.enabled(if: EmulatedTPM.program != nil)) struct FormerKeyTests {
        private let tpm: EmulatedTPM
        private let server: SealedServer
        private let backup: String
        private let former: String
        private let rotation: Run

        init() throws {
            let server = try SealedServer()
            let backup = server.directory + "/backup"
            try #require(server.run("invite", "early").status == 0)
            try #require(server.run("backup", backup).status == 0)
            let rotation = try server.run("rotate")
            try #require(rotation.status == 0, "\(rotation.all)")
            let names = try FileManager.default.contentsOfDirectory(atPath: server.directory)
            let former = try #require(names.first { $0.hasPrefix("seal.tpm.before-") })
            try #require(server.run("invite", "late").status == 0)
            (self.tpm, self.server, self.backup, self.rotation) = (server.tpm, server, backup, rotation)
            self.former = server.directory + "/" + former
        }

        private func users() throws -> String { try server.run("user", "list").output }

        /// Runs what a command has advised, by a shell in which `mpin-server` is this one.
        private func follow(_ text: String) throws -> Run {
            let line = text.split(separator: "\n").last { $0.contains("restore --key ") } ?? ""
            let start = try #require(line.range(of: "Run: ")?.upperBound ?? line.range(of: "machine: ")?.upperBound)
            let command = line[start...].replacing("BACKUP", with: backup)
            let function = "mpin-server() { \(Products.server) \"$@\"; }; "
            return try Run("/bin/bash", ["-c", function + command])
        }

        @Test func `rotate says how to restore them, and that works`() throws {
            let run = try follow(rotation.output)
            #expect(run.status == 0, "\(rotation.output)\(run.all)")
            #expect(try users().contains("early") && !users().contains("late"))
            let kept = try FileManager.default.contentsOfDirectory(atPath: server.directory)
            #expect(kept.contains { $0.hasPrefix("state.before-") }, "\(kept)")
        }

        @Test func `restore names the former key that opens one`() throws {
            let refused = try server.run("restore", backup)
            #expect(refused.status == 78 && refused.errors.contains(former), "\(refused.all)")
            #expect(try users().contains("late"))
            let run = try follow(refused.errors)
            #expect(run.status == 0, "\(refused.errors)\(run.all)")
            #expect(try users().contains("early") && !users().contains("late"))
        }

        @Test func `so it does if the key is in a file now`() throws {
            #expect(try server.run("reseal", "--seal", "file").status == 0)
            let refused = try server.run("restore", backup)
            #expect(refused.status == 78 && refused.errors.contains(former), "\(refused.all)")
            let run = try follow(refused.errors)
            #expect(run.status == 0, "\(refused.errors)\(run.all)")
            #expect(SealedServer.isThere(server.sealedKey) && !SealedServer.isThere(server.plainKey))
            #expect(try users().contains("early"))
        }

        @Test func `without a key, the former keys are named`() throws {
            try FileManager.default.moveItem(atPath: server.sealedKey, toPath: server.sealedKey + ".mine")
            let refused = try server.run("restore", backup)
            #expect(refused.status == 78 && refused.errors.contains("--key \(former)\n"), "\(refused.all)")
            #expect(try server.run("restore", backup, "--key", former).status == 0)
            #expect(SealedServer.isThere(server.sealedKey) && !SealedServer.isThere(server.plainKey))
            #expect(try users().contains("early"))
        }

        @Test func `a key that is not that of the backup changes nothing`() throws {
            let present = try Data(contentsOf: URL(fileURLWithPath: server.sealedKey))
            let later = server.directory + "/later"
            #expect(try server.run("backup", later).status == 0)
            let refused = try server.run("restore", later, "--key", former)
            #expect(refused.status == 78, "\(refused.all)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: server.sealedKey)) == present)
            #expect(try users().contains("late"))
        }
    }
}
