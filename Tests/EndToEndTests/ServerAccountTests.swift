// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// `mpin-server setup`, and the account that it gives the server to.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct ServerAccountTests {
        /// Runs setup where nothing that it writes outlives it, and lists what it has made.
        private static func setUp(_ spare: SpareMachine) throws -> Run {
            let script = """
                mount -t tmpfs none /var/lib && mount -t tmpfs none /run && status=0
                "$0" setup --yes \(SpareMachine.account) || status=$?
                ls /var/lib /run
                exit $status
                """
            return try spare.run(["/bin/sh", "-c", script, Products.server])
        }

        @Test(arguments: [
            ("mpin:x:1000:1000::/home/mpin:/usr/sbin/nologin", "it has the user ID 1000"),
            ("mpin:x:990:990::/home/mpin:/bin/bash", "it has the login shell /bin/bash"),
            ("mpin:x:990:990::/home/mpin:", "it has the login shell /bin/sh"),
            ("mpin:x:0:0::/root:/usr/sbin/nologin", "it has the user ID 0"),
        ])
        func `an account of a person does not get the server`(entry: String, reason: String) throws {
            let spare = try SpareMachine(isEnrolled: false)
            let accounts = try spare.read("/etc/passwd").split(separator: "\n").filter { !$0.hasPrefix("mpin:") }
            try spare.put(accounts.joined(separator: "\n") + "\n" + entry + "\n", at: "/etc/passwd")
            let run = try Self.setUp(spare)
            #expect(run.status == 78, "\(run.all)")
            #expect(run.errors.contains("the account mpin is not a system account: \(reason)"), "\(run.all)")
            #expect(run.output.hasSuffix("\n/run:\n\n/var/lib:\n"), "\(run.all)")
        }

        @Test func `a system account gets it`() throws {
            let spare = try SpareMachine(isEnrolled: false)
            let accounts = try spare.read("/etc/passwd").split(separator: "\n").filter { !$0.hasPrefix("mpin:") }
            let entry = "mpin:x:990:990::/var/lib/mpin-server:/usr/sbin/nologin\n"
            try spare.put(accounts.joined(separator: "\n") + "\n" + entry, at: "/etc/passwd")
            let run = try Self.setUp(spare)
            #expect(run.status == 0 && run.output.contains("mpin-server\n"), "\(run.all)")
        }
    }
}
