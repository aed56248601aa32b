// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// An account database that cannot be read for a moment.
    @Suite(.enabled(if: SpareMachine.isPossible && Launcher.canTrace)) struct BrokenLookupTests {
        @Test func `a server is not reported to run under another account than its own`() throws {
            let spare = try SpareMachine()
            try spare.append("server_user = \(SpareMachine.account)\n", to: "/etc/mpin/mpin.conf")
            spare.machine.kill()
            try spare.listenAsAccount()
            let call = [
                Products.enroll, "test", "--user", SpareMachine.account, "--no-input", "--pin-file",
                try spare.machine.pinFile("4962"),
            ]
            var found = 0
            // Breaks each read of the file in turn, and then all of them.
            for time in ["1", "2", "3", "4", "5", "1+"] {
                let run = try spare.run(
                    [
                        "/usr/bin/strace", "-qq", "-o", "/dev/null", "-P", "/etc/passwd", "-e", "trace=read", "-e",
                        "inject=read:error=EIO:when=\(time)",
                    ] + call)
                #expect(run.status != 0)
                let isSame = run.errors.contains("by the account 'mpintest', not by the account 'mpintest'")
                #expect(!isSame, "\(time): \(run.all)")
                if run.errors.contains("The account 'mpintest' could not be looked up, so unix:") { found += 1 }
            }
            #expect(found > 0)
        }
    }
}
