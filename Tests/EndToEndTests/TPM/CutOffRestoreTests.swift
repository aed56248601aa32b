// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// `restore` that dies anywhere: the server is as it was, or as the backup has it.
    @Suite(.enabled(if: EmulatedTPM.program != nil)) struct CutOffRestoreTests {
        /// Dies at a call.
        ///
        /// - Returns: whether the command came to it.
        private func restore(_ server: SealedServer, _ file: String, _ key: String, at call: String, _ n: Int) throws
            -> Bool
        {
            let run = try Run(
                "/usr/bin/strace",
                [
                    "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call, "-e",
                    "inject=\(call):signal=KILL:when=\(n)", Products.server, "restore", file, "--recovery-key-file",
                    "-", "--seal", "file", "--dir", server.directory,
                ], input: key)
            if run.status == 0 { return false }
            try #require(run.status == 128 + SIGKILL, "\(run.all)")
            return true
        }

        @Test(.enabled(if: Launcher.canTrace))
        func `killed anywhere, the directory has one of the two states, with its key`() throws {
            let other = try SealedServer()
            #expect(try other.run("invite", "from-backup").status == 0)
            let file = other.directory + "/backup"
            #expect(try other.run("backup", file).status == 0)
            var found: Set<String> = []
            for call in ["mkdir", "rename", "renameat2", "fsync"] {
                for n in 1...60 {
                    let server = try SealedServer(other.tpm)
                    #expect(try server.run("invite", "from-before").status == 0)
                    guard try restore(server, file, other.recoveryKey, at: call, n) else { break }
                    let users = try server.run("user", "list")
                    #expect(users.status == 0, "\(call) \(n): \(users.all)")
                    let user = users.output.contains("from-before") ? "from-before" : "from-backup"
                    found.insert(user)
                    #expect(users.output.contains(user))
                    // No file is left that would disturb a later run.
                    let again = try server.run(
                        "restore", file, "--recovery-key-file", "-", "--seal", "file", input: other.recoveryKey)
                    #expect(again.status == 0, "\(call) \(n): \(again.all)")
                    let files = try FileManager.default.contentsOfDirectory(atPath: server.directory)
                    #expect(!files.contains("state.new") && !files.contains("state.probe"), "\(files)")
                    #expect(try server.run("user", "list").output.contains("from-backup"))
                    if isFast, n > 3 { break }
                }
            }
            #expect(found.count == 2)
        }
    }
}
