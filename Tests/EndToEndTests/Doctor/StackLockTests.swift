// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Several commands that change PAM's files at once, and a killed one.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct StackLockTests {
        private static let mark = "# BEGIN mpin-enroll: "

        private static func blocks(_ spare: SpareMachine) throws -> Int {
            try spare.read("/etc/pam.d/sudo").components(separatedBy: mark).count - 1
        }

        @Test func `of many commands that enable a service one succeeds`() throws {
            let spare = try SpareMachine()
            let before = try spare.read("/etc/pam.d/sudo")
            let script = """
                for number in 1 2 3 4 5 6 7 8 9 10 11 12; do
                    "$1" pam enable sudo --yes --json &
                done
                wait
                """
            let run = try spare.run(["/bin/sh", "-c", script, "sh", Products.enroll])
            let changes = run.output.split(separator: "\n").filter { $0.contains(#""changed":true"#) }
            #expect(changes.count == 1 && run.output.split(separator: "\n").count == 12, "\(run.all)")
            #expect(try Self.blocks(spare) == 1)
            let disabled = try spare.enroll("pam", "disable", "sudo", "--yes", "--json")
            #expect(try disabled.json()["asks"] as? Bool == false, "\(disabled.all)")
            #expect(try spare.read("/etc/pam.d/sudo") == before)
        }

        @Test func `lines that are left are named, and go with the next call`() throws {
            let spare = try SpareMachine()
            let before = try spare.read("/etc/pam.d/sudo")
            try #require(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            let once = try spare.read("/etc/pam.d/sudo")
            let block = try #require(once.components(separatedBy: before).first { $0.hasPrefix(Self.mark) })
            // As two programs without a common lock leave it.
            try spare.put(block + once, at: "/etc/pam.d/sudo")
            let first = try spare.enroll("pam", "disable", "sudo", "--yes")
            #expect(first.output.contains("sudo still asks for the PIN: /etc/pam.d/sudo line 2."), "\(first.all)")
            #expect(!first.output.contains("no longer asks"), "\(first.all)")
            #expect(first.output.contains("mpin-enroll pam disable sudo --yes"), "\(first.all)")
            #expect(try spare.logIn(typing: "4962"))
            let second = try spare.enroll("pam", "disable", "sudo", "--yes")
            #expect(second.output.contains("sudo no longer asks for the PIN."), "\(second.all)")
            #expect(try spare.read("/etc/pam.d/sudo") == before)
        }

        @Test func `a command waits for another`() throws {
            let spare = try SpareMachine()
            let holder = try Background(
                Launcher.locking("/run/mpin-pam.lock") + ["/bin/sh", "-c", "echo held; read line"])
            try holder.requireLine("held")
            let terminal = try spare.terminal(Products.enroll, "pam", "enable", "sudo", "--yes")
            sleep(1)
            #expect(terminal.screen.isEmpty, "\(terminal.screen)")
            holder.end()
            #expect(terminal.end() == 0, "\(terminal.screen)")
            #expect(terminal.shows("asks for the PIN now"), "\(terminal.screen)")
        }

        @Test func `a change that is not the one that was shown is not made`() throws {
            let spare = try SpareMachine()
            let terminal = try spare.terminal(Products.enroll, "pam", "enable", "sudo")
            #expect(terminal.shows("Change sudo? [y/N]"), "\(terminal.screen)")
            // The question holds no lock, and another program changes the file.
            let disabled = try spare.enroll("pam", "disable", "sudo", "--yes")
            #expect(disabled.status == 0, "\(disabled.all)")
            let changed = try "auth required pam_faillock.so preauth\n" + spare.read("/etc/pam.d/sudo")
            try spare.put(changed, at: "/etc/pam.d/sudo")
            terminal.type("y")
            #expect(terminal.end() != 0, "\(terminal.screen)")
            #expect(terminal.screen.contains("changed while the question was open"), "\(terminal.screen)")
            #expect(try spare.read("/etc/pam.d/sudo") == changed)
        }

        @Test func `what a killed program has left is cleared away, and never read`() throws {
            let spare = try SpareMachine()
            let left = "/etc/pam.d/.sudo.mpin-new-1a2b"
            try spare.put("auth required pam_permit.so\n", at: left)
            #expect(try !spare.enroll("doctor", "--json").output.contains("mpin-new"))
            try #require(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            let names = try FileManager.default.contentsOfDirectory(atPath: spare.place("/etc/pam.d"))
            #expect(!names.contains { $0.contains("mpin-new") }, "\(names)")
        }

        /// A machine that runs out of memory or descriptors while a PAM file is replaced.
        @Test(.enabled(if: Launcher.canTrace))
        func `a file is reported as unchanged only if it is`() throws {
            let spare = try SpareMachine()
            let file = "/etc/pam.d/sudo"
            try #require(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            let before = try spare.read(file)
            let trace = spare.machine.directory + "/trace"
            var failures = 0
            for n in 1...12 {
                let run = try spare.run([
                    "/usr/bin/strace", "-f", "-qq", "-o", trace, "-P", "/etc/pam.d", "-e",
                    "inject=openat:error=ENOMEM:when=\(n)", Products.enroll, "pam", "disable", "sudo", "--yes",
                ])
                #expect((try spare.read(file) != before) == (run.status == 0), "openat \(n): \(run.all)")
                if try String(contentsOfFile: trace, encoding: .utf8).contains("INJECTED") { failures += 1 }
                try spare.put(before, at: file)
            }
            #expect(failures > 1)
        }
    }
}
