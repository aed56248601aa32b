// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Lines of a service that are not reached where the PIN ends the stack.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct SkippedLineTests {
        /// If the line is above, as in Debian's `login`, a machine that takes no logins stays closed.
        @Test func `a machine that takes no logins takes none with the PIN`() throws {
            let account = "account required pam_permit.so\n"
            let spare = try SpareMachine(sudo: "auth requisite pam_nologin.so\n@include common-auth\n" + account)
            try #require(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            #expect(try spare.logIn(typing: "4962"))
            try spare.put("later\n", at: "/etc/nologin")
            #expect(try !spare.logIn(typing: "4962"))
            // What 'pam enable' refuses: below the password's line it is not reached with the PIN.
            let line = "auth [success=done default=ignore] pam_mpin.so\n@include common-auth\n"
            try spare.put(line + "auth requisite pam_nologin.so\n" + account, at: "/etc/pam.d/sudo")
            #expect(try spare.logIn(typing: "4962") && !spare.logIn(typing: "", SpareMachine.password))
        }

        /// `login` of Debian has pam_group.so below the password's line. su sets the credentials as `login` does.
        @Test func `groups are given with the PIN as with the password`() throws {
            let spare = try SpareMachine()
            let before = try spare.read("/etc/pam.d/login")
            try #require(before.contains("pam_group.so"))
            let refused = try spare.enroll("pam", "enable", "login", "--yes")
            #expect(
                refused.status == 78 && refused.errors.contains("pam_group.so would give no groups"), "\(refused.all)")
            #expect(try spare.read("/etc/pam.d/login") == before)

            try spare.append("su;*;\(SpareMachine.account);Al0000-2400;audio\n", to: "/etc/security/group.conf")
            let example = Products.repository.appendingPathComponent("pam.d/login")
            let ours = try String(contentsOf: example, encoding: .utf8)
            // Ours has the line of pam_group above; the other stack has it below.
            let skipping =
                try ours.split(separator: "\n").filter { !$0.contains("pam_group.so") }.joined(separator: "\n")
                + "\nauth optional pam_group.so\n"
            let rest = "account required pam_permit.so\nsession required pam_permit.so\n"
            for (stack, isGiven) in [(ours, true), (skipping, false)] {
                try spare.put(stack + rest, at: "/etc/pam.d/su")
                for answers in [["4962"], ["", SpareMachine.password]] {
                    let terminal = try spare.terminal("/usr/bin/su", SpareMachine.account, "-c", "id -Gn; echo DONE")
                    for answer in answers {
                        terminal.answer(": ", answer)
                    }
                    #expect(terminal.shows("DONE"), "\(terminal.screen)")
                    let hasGroup = terminal.screen.contains("audio")
                    #expect(hasGroup == (isGiven || answers.count > 1), "\(answers) \(terminal.screen)")
                }
            }
        }
    }
}
