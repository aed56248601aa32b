// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// `pam enable` and `pam disable`: what they change, and what they leave alone.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct ServiceChangeTests {
        private static let files = [
            "@include common-auth\n@include common-account\n",
            "#%PAM-1.0\r\n# Grüße\n\n  auth\t[success=2 default=ignore] \\\n   pam_unix.so nullok\nauth requisite pam_deny.so\n"
                + "auth required pam_permit.so\naccount required pam_permit.so\n",
            "auth requisite pam_nologin.so\nauth include common-auth\naccount include common-account",
        ]

        @Test(arguments: files)
        func `one service is changed by three lines, which go again`(file: String) throws {
            let text = file.replacingOccurrences(of: "success=2", with: "success=1")
            let spare = try SpareMachine(sudo: text)
            let path = spare.place("/etc/pam.d/sudo")
            #expect(chmod(path, 0o640) == 0 && chown(path, 0, 12) == 0)

            let planned = try spare.enroll("pam", "enable", "sudo")
            #expect(planned.status == 0 && planned.output.contains("Nothing has been written yet"), "\(planned.all)")
            #expect(planned.output.contains("mpin-enroll pam enable sudo --yes\n"), "\(planned.all)")
            #expect(try spare.read("/etc/pam.d/sudo") == text)

            let enabled = try spare.enroll("pam", "enable", "sudo", "--yes")
            #expect(enabled.status == 0, "\(enabled.all)")
            let changed = try spare.read("/etc/pam.d/sudo")
            let added = planned.output.split(separator: "\n").filter { $0.hasPrefix("+") && !$0.hasPrefix("+++") }
            #expect(added.count == 3)
            #expect(changed.replacingOccurrences(of: added.map { $0.dropFirst() + "\n" }.joined(), with: "") == text)
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640 && status.st_gid == 12)
            #expect(try spare.read("/etc/pam.d/sudo.pam-old") == text)
            // By the PIN, by the password behind a wrong one, and not otherwise.
            #expect(try spare.logIn(typing: "4962"))
            #expect(try spare.logIn(typing: "", SpareMachine.password))
            #expect(try !spare.logIn(typing: "", "wrong"))
            #expect(try spare.enroll("pam", "enable", "sudo", "--yes").output.contains("already"))
            #expect(try spare.read("/etc/pam.d/sudo") == changed)

            #expect(try spare.enroll("pam", "disable", "sudo").output.contains("-auth\t"))
            #expect(try spare.read("/etc/pam.d/sudo") == changed)
            let disabled = try spare.enroll("pam", "disable", "sudo", "--yes")
            #expect(disabled.status == 0, "\(disabled.all)")
            #expect(try spare.data("/etc/pam.d/sudo") == Data(text.utf8))
            // PAM would take the copy for a service.
            #expect(access(spare.place("/etc/pam.d/sudo.pam-old"), F_OK) != 0)
            #expect(try spare.enroll("pam", "disable", "sudo", "--yes").output.contains("does not ask"))
        }

        @Test func `at a terminal the change is shown, and made if the user agrees`() throws {
            let file = "@include common-auth\n@include common-account\n"
            let spare = try SpareMachine(sudo: file, sudoLogin: file)
            func answer(_ command: String, _ answer: String) throws -> Terminal {
                let terminal = try spare.terminal(Products.enroll, "pam", command, "sudo")
                terminal.answer("Change sudo and sudo-i? [y/N] ", answer)
                return terminal
            }
            let declined = try answer("enable", "")
            #expect(declined.end() == 130 && declined.screen.contains("Nothing was changed."), "\(declined.screen)")
            #expect(declined.screen.contains("+++ /etc/pam.d/sudo-i"), "\(declined.screen)")
            #expect(try spare.read("/etc/pam.d/sudo") == file)
            let agreed = try answer("enable", "y")
            #expect(agreed.end() == 0 && agreed.screen.contains("sudo-i asks for the PIN now"), "\(agreed.screen)")
            #expect(agreed.screen.contains("\nundo      mpin-enroll pam disable sudo --yes\n"), "\(agreed.screen)")
            #expect(agreed.screen.components(separatedBy: "+++ /etc/pam.d/sudo\n").count == 2, "\(agreed.screen)")
            #expect(try spare.logIn(typing: "4962"))
            #expect(try answer("disable", "yes").end() == 0)
            #expect(try spare.read("/etc/pam.d/sudo") == file && spare.read("/etc/pam.d/sudo-i") == file)
            // Programs are not asked.
            let json = try spare.terminal(Products.enroll, "pam", "enable", "sudo", "--json")
            #expect(json.end() == 0 && json.screen.contains("\"changed\":false"), "\(json.screen)")
        }

        @Test func `in addition means both`() throws {
            let spare = try SpareMachine()
            let before = try spare.read("/etc/pam.d/sudo")
            let enabled = try spare.enroll("pam", "enable", "sudo", "--recipe", "addition", "--yes")
            #expect(enabled.status == 0 && enabled.output.contains("every user while the server is"), "\(enabled.all)")
            #expect(try spare.logIn(typing: SpareMachine.password, "4962"))
            #expect(try !spare.logIn(typing: SpareMachine.password, ""))
            #expect(try !spare.logIn(typing: "wrong", "4962"))
            #expect(try spare.enroll("pam", "disable", "sudo", "--yes").status == 0)
            #expect(try spare.read("/etc/pam.d/sudo") == before)
        }

        @Test func `a file that came with the system is covered and uncovered`() throws {
            let spare = try SpareMachine()
            let text = "auth include common-auth\naccount include common-account\n"
            try spare.put(text, at: "/usr/lib/pam.d/vendor")
            try spare.append("local_services = vendor\n", to: "/etc/mpin/mpin.conf")
            #expect(try spare.enroll("pam", "enable", "vendor", "--yes").status == 0)
            #expect(try spare.read("/usr/lib/pam.d/vendor") == text)
            #expect(try spare.logIn("vendor", typing: "4962"))
            #expect(try spare.enroll("pam", "disable", "vendor", "--yes").status == 0)
            #expect(access(spare.place("/etc/pam.d/vendor"), F_OK) != 0)
        }

        struct Refusal: Sendable {
            let file: String
            let sentence: String
            var recipe = "instead"
        }

        private static let refusals = [
            Refusal(file: "auth required pam_permit.so\n", sentence: "no line that asks for the password"),
            Refusal(
                file: "auth [success=2 default=ignore] pam_succeed_if.so uid = 0\n@include common-auth\n"
                    + "auth required pam_permit.so\n", sentence: "line 1 jumps over the place"),
            Refusal(
                file: "auth required pam_deny.so\n@include common-auth\n", sentence: "sudo would refuse every user"
            ),
            Refusal(
                file: "auth sufficient pam_unix.so\nauth required pam_deny.so\n",
                sentence: "would not always require both PIN and password", recipe: "addition"),
            Refusal(
                file: "@include common-auth\naccount required pam_deny.so\n",
                sentence: "sudo would refuse every user"),
            // A line below the password's has refused users, and would not be reached with the PIN.
            Refusal(
                file: "@include common-auth\nauth required pam_succeed_if.so quiet user ingroup sudo\n"
                    + "@include common-account\n", sentence: "sudo would let in users that another line"),
            // Another module may refuse or let in, and hides no user.
            Refusal(
                file: "auth required pam_listfile.so item=user sense=allow file=/etc/mpin/people onerr=fail\n"
                    + "@include common-auth\nauth required pam_succeed_if.so quiet user ingroup sudo\n"
                    + "@include common-account\n", sentence: "sudo would let in users that another line"),
            Refusal(
                file: "@include common-auth\nauth requisite pam_nologin.so\n@include common-account\n",
                sentence: "sudo would let in users that another line"),
            Refusal(
                file: "@include common-auth\nauth optional pam_group.so\n@include common-account\n",
                sentence: "sudo line 5 would not be reached: pam_group.so would give no groups"),
            Refusal(
                file: "# " + String(repeating: "a", count: 1_100) + "\n@include common-auth\n@include common-account\n",
                sentence: "sudo would refuse every user"),
        ]

        @Test(
            arguments: [
                ("sshd", "over the network unless method is set"), ("i3lock", "needs the agent, which does not run"),
            ])
        func `a PIN is not made necessary where none can be asked for`(service: String, sentence: String) throws {
            let spare = try SpareMachine()
            let file = "@include common-auth\n@include common-account\n"
            try spare.put(file, at: "/etc/pam.d/\(service)")
            try spare.append("agent = /nonexistent/agent.sock\n", to: "/etc/mpin/mpin.conf")
            let run = try spare.enroll("pam", "enable", service, "--recipe", "addition", "--yes")
            #expect(run.status == 78 && run.errors.contains(sentence), "\(run.all)")
            #expect(try spare.read("/etc/pam.d/\(service)") == file)
        }

        /// As pam_faillock(8) shows it, in the file that all services include.
        @Test func `a locked account stays locked`() throws {
            let spare = try SpareMachine()
            try spare.put(
                """
                auth requisite pam_faillock.so preauth
                auth [success=1 default=ignore] pam_unix.so
                auth [default=die] pam_faillock.so authfail
                auth sufficient pam_faillock.so authsucc
                auth required pam_deny.so

                """, at: "/etc/pam.d/common-auth")
            let file = try spare.read("/etc/pam.d/sudo")
            let run = try spare.enroll("pam", "enable", "sudo", "--yes")
            #expect(run.status == 78 && run.errors.contains("accounts that pam_faillock has locked"), "\(run.all)")
            #expect(try spare.read("/etc/pam.d/sudo") == file)
        }

        @Test func `lines that a jump leads over are not taken out`() throws {
            let spare = try SpareMachine()
            try #require(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            let jumping =
                try "auth [success=2 default=ignore] pam_succeed_if.so uid = 0\n" + spare.read("/etc/pam.d/sudo")
            try spare.put(jumping, at: "/etc/pam.d/sudo")
            let run = try spare.enroll("pam", "disable", "sudo", "--yes")
            #expect(run.status == 78 && run.errors.contains("line 1 jumps over the place"), "\(run.all)")
            #expect(try spare.read("/etc/pam.d/sudo") == jumping)
        }

        @Test func `no stack is to be rewritten because the module is missing`() throws {
            let spare = try SpareMachine()
            try #require(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            try #require(unlink(spare.place(spare.module)) == 0)
            let run = try spare.enroll("doctor")
            #expect(run.status == 1 && run.output.contains("pam_mpin.so is missing"), "\(run.all)")
            #expect(!run.output.contains("/etc/pam.d/sudo line"), "\(run.all)")
        }

        @Test(arguments: refusals)
        func `a change that would not mean what it should is refused`(refusal: Refusal) throws {
            let spare = try SpareMachine(sudo: refusal.file)
            let run = try spare.enroll("pam", "enable", "sudo", "--yes", "--recipe", refusal.recipe)
            #expect(run.status == 78 && run.errors.contains(refusal.sentence), "\(run.all)")
            #expect(try spare.read("/etc/pam.d/sudo") == refusal.file)
        }

        @Test func `nothing is changed without an enrollment, without root, or of others files`() throws {
            let spare = try SpareMachine(isEnrolled: false)
            let before = try spare.data("/etc/pam.d/sudo")
            let run = try spare.enroll("pam", "enable", "sudo", "--yes")
            #expect(run.status == 67 && run.errors.contains("No user is enrolled"), "\(run.all)")
            try spare.requireRegistration()
            let setpriv = Launcher.nobody
            let plain = try spare.run(setpriv + [Products.enroll, "pam", "enable", "sudo", "--yes"])
            #expect(
                plain.status == 77 && plain.errors.contains("Use sudo: sudo mpin-enroll pam enable"), "\(plain.all)")
            for name in ["nothere", "common-auth", "", "a/b"] {
                #expect(try spare.enroll("pam", "enable", name, "--yes").status == 65)
            }
            #expect(try spare.data("/etc/pam.d/sudo") == before)
            #expect(
                symlink("sudo", spare.place("/etc/pam.d/linked")) == 0
                    && access(spare.place("/etc/pam.d/linked"), F_OK) == 0)
            let linked = try spare.enroll("pam", "enable", "linked", "--yes")
            #expect(linked.status == 78 && linked.errors.contains("not a regular file"), "\(linked.all)")
            // Lines that were changed by hand are their author's.
            #expect(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            let edited = try spare.read("/etc/pam.d/sudo").replacingOccurrences(of: "# END ", with: "# The END ")
            try spare.put(edited, at: "/etc/pam.d/sudo")
            let disabled = try spare.enroll("pam", "disable", "sudo", "--yes")
            #expect(
                disabled.status == 78 && disabled.errors.contains("the lines that mpin-enroll added were edited"),
                "\(disabled.all)")
            #expect(try spare.read("/etc/pam.d/sudo") == edited)
        }
    }
}
