// SPDX-License-Identifier: Apache-2.0
import Testing

/// A command that people look for beside `user unblock`.
@Suite struct BlockedByHandTests {
    @Test func `no user is blocked by hand, and the commands that shut a user out are named`() throws {
        let server = try RunningServer()
        let refused = try Program.run(["user", "block", "alice", "--dir", server.directory])
        #expect(refused.code == 64 && refused.errors.contains("mpin-server user revoke alice"), "\(refused.errors)")
        #expect(try !Program.run(["user", "--help"]).output.contains("\n  block"))
    }
}
