// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// Backups and rotations of servers whose key is sealed to a TPM.
    @Suite(.enabled(if: EmulatedTPM.program != nil)) struct SealedBackupTests {
        /// An empty directory for another server, on a machine with this TPM.
        private func newDirectory(_ tpm: EmulatedTPM) throws -> String {
            let directory = "/tmp/mpin-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try SealedServer.write("tpm_device = \(tpm.device)\n", to: directory + "/server.conf")
            return directory
        }

        @Test func `a backup names the key that opens it, and is restored elsewhere with only that`() throws {
            let server = try SealedServer(), other = try EmulatedTPM()
            #expect(try server.run("invite", "alice").status == 0)
            let file = server.directory + "/backup"
            let backup = try server.run("backup", file, "--json").json()
            #expect(backup["openedBy"] as? String == "tpm")
            #expect(backup["recoveryKeyName"] as? String == server.recoveryName)
            let copied = try server.run("backup", file + ".2", "--with-key")
            #expect(copied.status == 77 && copied.errors.contains(server.recoveryName), "\(copied.all)")
            #expect(!SealedServer.isThere(file + ".2"))

            let elsewhere = try newDirectory(other)
            defer { try? FileManager.default.removeItem(atPath: elsewhere) }
            func restore(_ options: String..., typing key: String? = nil) throws -> Run {
                try Run(Products.server, ["restore", file, "--dir", elsewhere] + options, input: key)
            }
            #expect(try restore().errors.contains("--recovery-key-file"))
            let wrong = try SealedServer(other).recoveryKey
            let refused = try restore("--recovery-key-file", "-", typing: wrong)
            #expect(refused.status == 78 && refused.errors.contains("is not the key of this backup"), "\(refused.all)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: elsewhere).sorted() == [
                    "serve.lock", "server.conf",
                ])
            // The right key does not excuse a backup that was altered on its way.
            let whole = try Data(contentsOf: URL(fileURLWithPath: file))
            var altered = whole
            altered[whole.count / 2] ^= 0x55
            try altered.write(to: URL(fileURLWithPath: file))
            let forged = try restore("--recovery-key-file", "-", typing: server.recoveryKey)
            #expect(forged.status == 65 && forged.errors.contains("was altered after"), "\(forged.all)")
            #expect(!SealedServer.isThere(elsewhere + "/state/mpin.sqlite"))
            try whole.write(to: URL(fileURLWithPath: file))
            let restored = try restore("--recovery-key-file", "-", typing: server.recoveryKey)
            #expect(restored.status == 0, "\(restored.all)")
            #expect(
                SealedServer.isThere(elsewhere + "/state/seal.tpm")
                    && !SealedServer.isThere(elsewhere + "/state/seal.key"))
            let list = try Run(Products.server, ["user", "list", "--dir", elsewhere])
            #expect(list.output.contains("alice"), "\(list.all)")
            // And once more over that, as it is.
            #expect(try restore().status == 0)
        }

        @Test func `a running server authenticates backups though its TPM is gone`() throws {
            let server = try SealedServer()
            #expect(try server.run("invite", "alice").status == 0)
            try SealedServer.write(
                "tpm_device = \(server.tpm.device)\nstatus_socket = \(server.directory)/status.sock\n",
                to: server.directory + "/server.conf")
            #expect(try server.serves())
            becomes { SealedServer.isThere(server.directory + "/status.sock") }
            server.tpm.stop()
            let file = server.directory + "/backup"
            let made = try server.run("backup", file, "--json").json()
            #expect(made["authenticated"] as? Bool == true)
            #expect(made["recoveryKeyName"] as? String == server.recoveryName)
            server.stop()
            #expect(try server.run("backup", file + ".2", "--json").json()["authenticated"] as? Bool == false)
            try server.tpm.start()
            #expect(try server.run("restore", file).status == 0)
            let refused = try server.run("restore", file + ".2")
            #expect(refused.status == 65 && refused.errors.contains("has no MAC"), "\(refused.all)")
            #expect(try server.run("restore", file + ".2", "--unauthenticated").status == 0)
        }

        @Test func `a recovery key with a typing error is refused`() throws {
            let server = try SealedServer()
            let key = Array(server.recoveryKey.utf8)
            func refusal(_ bytes: [UInt8]) throws -> Run {
                try server.run("reseal", "--recovery-key-file", "-", input: String(decoding: bytes, as: UTF8.self))
            }
            for place in stride(from: 0, to: key.count, by: isFast ? 17 : 1) where key[place] != UInt8(ascii: "-") {
                var changed = key
                changed[place] = key[place] == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
                #expect(try refusal(changed).errors.contains("a symbol is wrong"))
            }
            let first = Array(key[0..<4]), second = Array(key[5..<9])
            if first != second {
                #expect(try refusal(second + [0x2D] + first + key[9...]).errors.contains("two are swapped"))
            }
            #expect(try refusal(Array(key.dropLast())).errors.contains("has 56 symbols, not 55"))
            #expect(try refusal(key + [0x41]).errors.contains("has 56 symbols, not 57"))
            #expect(try refusal(Array(repeating: 0x41, count: 5000)).status == 65)
            #expect(try refusal([]).errors.contains("has 56 symbols, not 0"))
            #expect(try refusal([0xFF, 0x00]).errors.contains("letters and digits"))
            let open = server.directory + "/open"
            try SealedServer.write(server.recoveryKey, to: open)
            chmod(open, 0o644)
            #expect(try server.run("reseal", "--recovery-key-file", open).errors.contains("other users can access "))
            #expect(try server.run("reseal", "--recovery-key-file", "/nowhere").status == 78)
            #expect(try server.run("invite", "alice").status == 0)
        }

        @Test func `a rotation makes another recovery key, and each opens its own backups`() throws {
            let server = try SealedServer(), other = try EmulatedTPM()
            let before = server.directory + "/before", after = server.directory + "/after"
            #expect(try server.run("invite", "alice").status == 0)
            #expect(try server.run("backup", before).status == 0)
            let rotated = try server.run("rotate", "--json").json()
            let next = try #require(rotated["recoveryKey"] as? String)
            #expect(next != server.recoveryKey)
            let kept = try #require(rotated["formerKey"] as? String)
            #expect(kept.contains("seal.tpm.before-") && SealedServer.isThere(kept))
            #expect(try server.run("backup", after).status == 0)
            #expect(try server.run("reseal", "--recovery-key-file", "-", input: server.recoveryKey).status == 65)
            for (file, key, isOpened) in [
                (before, server.recoveryKey, true), (after, server.recoveryKey, false), (before, next, false),
                (after, next, true),
            ] {
                let elsewhere = try newDirectory(other)
                defer { try? FileManager.default.removeItem(atPath: elsewhere) }
                let run = try Run(
                    Products.server,
                    ["restore", file, "--recovery-key-file", "-", "--seal", "file", "--dir", elsewhere],
                    input: key)
                #expect((run.status == 0) == isOpened, "\(run.all)")
            }
        }

        @Test func `an interrupted rotation is completed by the next start`() throws {
            let server = try SealedServer()
            let old = try Data(contentsOf: URL(fileURLWithPath: server.sealedKey))
            #expect(try server.run("rotate").status == 0)
            // As it was before the last step.
            let next = server.sealedKey + ".next"
            try FileManager.default.moveItem(atPath: server.sealedKey, toPath: next)
            try old.write(to: URL(fileURLWithPath: server.sealedKey))
            chmod(server.sealedKey, 0o600)
            #expect(try server.run("invite", "alice").status == 0)
            #expect(!SealedServer.isThere(next))
            #expect(try Data(contentsOf: URL(fileURLWithPath: server.sealedKey)) != old)
        }

        @Test func `a damaged key file is reported as such`() throws {
            let server = try SealedServer()
            let whole = try String(contentsOfFile: server.sealedKey, encoding: .utf8)
            for text in ["", "x", String(whole.dropLast(3)), whole + "x", whole.replacing("blob 01", with: "blob 02")] {
                try SealedServer.write(text, to: server.sealedKey)
                let run = try server.run("invite", "alice")
                #expect(run.status == 78 && run.errors.contains("damaged"), "\(run.all)")
            }
            chmod(server.sealedKey, 0o644)
            #expect(try server.run("invite", "alice").errors.contains("other users can access "))
            try FileManager.default.removeItem(atPath: server.sealedKey)
            let gone = try server.run("invite", "alice")
            #expect(gone.status == 78 && gone.errors.contains("--recovery-key-file -"), "\(gone.all)")
            #expect(try server.run("reseal", "--recovery-key-file", "-", input: server.recoveryKey).status == 0)
            #expect(try server.run("invite", "alice").status == 0)
        }
    }
}
