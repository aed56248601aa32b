// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// Recovery keys that were never shown: commands whose output cannot be written, and interrupted commands.
    @Suite(.enabled(if: EmulatedTPM.program != nil)) struct UnshownRecoveryKeyTests {
        /// Runs a command whose output cannot be written.
        private func unheard(_ arguments: [String], to output: String = ">/dev/full") throws -> Run {
            try Run("/bin/bash", ["-c", "exec \"$0\" \"$@\" \(output)", Products.server] + arguments)
        }

        @Test(arguments: [[], ["--json"]], [">/dev/full", ">&-", ">&- <&-"])
        func `a command that cannot show a recovery key changes nothing`(form: [String], output: String) throws {
            let server = try SealedServer()
            let sealed = try Data(contentsOf: URL(fileURLWithPath: server.sealedKey))
            let files = try FileManager.default.contentsOfDirectory(atPath: server.directory)
            for command in ["rotate", "reseal"] {
                let run = try unheard([command, "--dir", server.directory] + form, to: output)
                #expect(run.status == 74 && run.errors.contains("Nothing was changed") == form.isEmpty, "\(run.all)")
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: server.sealedKey)) == sealed)
            let left = try FileManager.default.contentsOfDirectory(atPath: server.directory)
            #expect(Set(left).subtracting(files).isSubset(of: ["serve.lock"]), "\(left)")
            #expect(try server.run("reseal", "--recovery-key-file", "-", input: server.recoveryKey).status == 0)
            // No file has taken the number of the closed output.
            #expect(try Data(contentsOf: URL(fileURLWithPath: server.directory + "/serve.lock")).isEmpty)

            let directory = server.directory + "/new"
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try SealedServer.write("tpm_device = \(server.tpm.device)\n", to: directory + "/server.conf")
            #expect(try unheard(["init", "--seal", "tpm", "--dir", directory] + form, to: output).status == 74)
            let unchanged = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(Set(unchanged).subtracting(["serve.lock"]) == ["server.conf"])
        }

        @Test func `a person reads the recovery key before it is the one that counts`() throws {
            let server = try SealedServer()
            // Nothing can be made in its directory then, as on a full disk.
            try FileManager.default.createDirectory(
                atPath: server.sealedKey + ".next", withIntermediateDirectories: false)
            let failed = try server.run("rotate")
            #expect(failed.status == 74)
            try FileManager.default.removeItem(atPath: server.sealedKey + ".next")
            let text = try server.run("rotate").output
            let shown = try #require(text.range(of: "Recovery key "))
            let isNew = try #require(text.range(of: ": a new key."))
            #expect(
                shown.upperBound < isNew.lowerBound && text.contains("The key takes effect when this command succeeds"))
            let key = try #require(text.firstMatch(of: #/    ([0-9A-Z]{4}(-[0-9A-Z]{4}){13})\n/#)).output.1
            #expect(try server.run("reseal", "--recovery-key-file", "-", input: String(key)).status == 0)
        }

        @Test func `a key whose command was interrupted before it was shown is named by every command`() throws {
            let server = try SealedServer()
            try cutOff(["rotate", "--json", "--dir", server.directory], untilChanged: server.sealedKey)
            let list = try server.run("user", "list")
            #expect(list.status == 0 && list.errors.contains("has not been shown"), "\(list.all)")
            #expect(list.errors.contains("mpin-server reseal --dir \(server.directory)"))
            #expect(!list.errors.contains(server.recoveryName))
            let backup = try server.run("backup", server.directory + "/copy")
            #expect(backup.status == 0 && backup.errors.contains("has not been shown"))
            let serve = ["serve", "--dir", server.directory, "--listen", "unix:" + server.directory + "/s"]
            let serving = try Background(Launcher.redirecting("2>&1") + [Products.server] + serve)
            try serving.requireLine("has not been shown")
            serving.kill()
            let shown = try server.run("reseal", "--json").json()
            let key = try #require(shown["recoveryKey"] as? String)
            #expect(try server.run("user", "list").errors.isEmpty)
            #expect(try server.run("reseal", "--recovery-key-file", "-", input: key).status == 0)
        }

        @Test func `a user who types a recovery key has it`() throws {
            let server = try SealedServer()
            try FileManager.default.removeItem(atPath: server.directory + "/recovery-key.shown")
            #expect(try server.run("user", "list").errors.contains(server.recoveryName))
            #expect(try server.run("reseal", "--recovery-key-file", "-", input: server.recoveryKey).status == 0)
            #expect(try server.run("user", "list").errors.isEmpty)
        }

        @Test(.enabled(if: Launcher.canTrace))
        func `an unseen key stays named until it was shown or replaced`() throws {
            let server = try SealedServer()
            try FileManager.default.removeItem(atPath: server.directory + "/recovery-key.shown")
            // The key from before cannot be kept then, so that the new one does not take its place.
            for _ in 1...2 {
                let failing = try Run(
                    "/usr/bin/strace",
                    [
                        "-f", "-qq", "-o", "/dev/null", "-e", "trace=link", "-e", "inject=link:error=EIO",
                        Products.server, "rotate", "--json", "--dir", server.directory,
                    ])
                #expect(failing.status == 74, "\(failing.all)")
                #expect(try server.run("user", "list").errors.contains(server.recoveryName))
            }
            try cutOff(["rotate", "--json", "--dir", server.directory], untilChanged: server.sealedKey)
            let named = try server.run("user", "list").errors
            #expect(named.contains("has not been shown") && !named.contains(server.recoveryName), "\(named)")
            #expect(try server.run("rotate").status == 0)
            #expect(try server.run("user", "list").errors.isEmpty)
        }

        /// Kills a command while it waits to write its answer into a pipe with room for one more byte.
        private func cutOff(_ arguments: [String], untilChanged file: String) throws {
            let before = try Data(contentsOf: URL(fileURLWithPath: file))
            let output = Run.pipe()
            let end = output.fileHandleForWriting.fileDescriptor
            try #require(fcntl(end, 1031, 4096) == 4096)
            let filling = [UInt8](repeating: 0x20, count: 4095)
            try #require(write(end, filling, filling.count) == filling.count)
            let process = try Background([Products.server] + arguments, output: output.fileHandleForWriting)
            becomes {
                let now = try? Data(contentsOf: URL(fileURLWithPath: file))
                return now != nil && now != before
            }
            try process.waitForWrite()
            process.kill()
        }
    }
}
