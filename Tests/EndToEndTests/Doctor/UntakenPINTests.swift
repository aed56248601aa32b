// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Logins for which a service accepts no PIN, whatever its stack.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct UntakenPINTests {
        /// Two set-uid programs by whose stacks another user's account needs the PIN, which they do not take for it.
        @Test(
            arguments: [
                ("su", "su takes no PIN over ssh, or for another user's account unless root runs su"),
                ("polkit-1", "polkit-1 takes no PIN over ssh, or for another administrator's account"),
                (
                    "sudo",
                    "sudo takes no PIN over ssh, or for another user's account (targetpw, rootpw or runaspw of sudoers)"
                ),
                ("other-program", ""),
            ])
        func `a PIN that set-uid programs do not accept is named where it is needed`(
            service: String, sentence: String
        ) throws {
            let spare = try SpareMachine()
            let refused = sentence + ": it refuses the login."
            try spare.append("agent = /nonexistent/agent.sock\n", to: "/etc/mpin/mpin.conf")
            try spare.put("@include common-auth\n@include common-account\n", at: "/etc/pam.d/" + service)
            let planned = try spare.enroll("pam", "enable", service, "--recipe", "addition")
            // Without the agent polkit's helper cannot ask for the PIN.
            let isPlanned = service != "polkit-1"
            #expect(planned.status == (isPlanned ? 0 : 78), "\(planned.all)")
            if isPlanned { #expect(planned.output.contains(refused) == !sentence.isEmpty, "\(planned.all)") }
            for line in [
                "auth [success=ok default=die] pam_mpin.so",
                "auth [success=ok authinfo_unavail=ignore default=die] pam_mpin.so",
            ] {
                try spare.put("@include common-auth\n\(line)\n@include common-account\n", at: "/etc/pam.d/" + service)
                for command in [["pam", "show", service], ["pam", "show", service, "--json"], ["doctor"]] {
                    let run = try spare.run([Products.enroll] + command)
                    #expect(run.output.contains(refused) == !sentence.isEmpty, "\(run.all)")
                    #expect(sentence.isEmpty == !run.output.contains("takes no PIN"), "\(run.all)")
                }
            }
            // With the PIN instead of the password no user is kept out.
            try spare.put(
                "auth sufficient pam_mpin.so\n@include common-auth\n@include common-account\n",
                at: "/etc/pam.d/" + service)
            let instead = try spare.enroll("pam", "show", service)
            // The caller's own account is the usual one.
            let named = service == "sudo" ? "sudo takes no PIN over ssh" : sentence
            #expect(
                instead.output.contains(named + ": the password decides.") == !sentence.isEmpty, "\(instead.all)")
            #expect(try !spare.enroll("doctor").output.contains("takes no PIN"))
        }

        @Test func `the refusal follows the sentence that su asks for the PIN`() throws {
            let spare = try SpareMachine()
            try spare.put("@include common-auth\n@include common-account\n", at: "/etc/pam.d/su")
            let run = try spare.enroll("pam", "enable", "su", "--recipe", "addition", "--yes")
            let exception =
                "su takes no PIN over ssh, or for another user's account unless root runs su: it refuses the login."
            #expect(run.status == 0, "\(run.all)")
            let lines = run.output.split(separator: "\n").map(String.init)
            #expect(lines.filter { $0 == exception }.count == 1, "\(run.all)")
            let result = lines.firstIndex { $0.hasPrefix("su asks for the PIN now") } ?? lines.count
            #expect(result < lines.firstIndex(of: exception) ?? 0, "\(run.all)")
        }

        @Test func `no PIN is expected where sshd accepts none`() throws {
            let spare = try SpareMachine()
            let file = "@include common-auth\n@include common-account\n"
            try spare.put(file, at: "/etc/pam.d/sshd")
            for more in [[], ["--yes"]] {
                let run = try spare.run([Products.enroll, "pam", "enable", "sshd"] + more)
                #expect(run.status == 78 && run.errors.contains("so sshd would not change."), "\(run.all)")
                #expect(run.errors.contains("ssh certificates") && !run.all.contains("Apply it"), "\(run.all)")
            }
            #expect(try spare.read("/etc/pam.d/sshd") == file)
            try spare.put("auth sufficient pam_mpin.so\n" + file, at: "/etc/pam.d/sshd")
            let sentence = "sshd takes no PIN over the network: the password decides."
            #expect(try spare.enroll("pam", "show", "sshd").output.contains(sentence))
        }

        @Test func `with method, the risk is named before sshd is changed`() throws {
            let spare = try SpareMachine()
            let file = "@include common-auth\n@include common-account\n"
            try spare.put(file, at: "/etc/pam.d/sshd")
            try spare.append("method = pin\n", to: "/etc/mpin/mpin.conf")
            let risk = "Anyone who reaches sshd can block a user with three wrong PINs."
            let terminal = try spare.terminal(Products.enroll, "pam", "enable", "sshd")
            #expect(terminal.shows("Change sshd? [y/N] "), "\(terminal.screen)")
            #expect(terminal.screen.contains("the PIN is the only factor"), "\(terminal.screen)")
            #expect(terminal.screen.contains(risk), "\(terminal.screen)")
            terminal.type("")
            #expect(terminal.end() == 130 && terminal.screen.contains("Nothing was changed."), "\(terminal.screen)")
            #expect(try spare.read("/etc/pam.d/sshd") == file)
            let unasked = try spare.enroll("pam", "enable", "sshd", "--yes")
            #expect(unasked.status == 0 && unasked.errors.contains(risk), "\(unasked.all)")
            // With the password too, the PIN is not the only factor.
            try spare.put(file, at: "/etc/pam.d/sshd")
            let both = try spare.enroll("pam", "enable", "sshd", "--recipe", "addition")
            #expect(both.status == 0 && !both.all.contains("only factor"), "\(both.all)")
        }

        /// The tests run in no login session, which counts as remote.
        @Test func `sudo in this session is named with its narrow setting`() throws {
            let spare = try SpareMachine()
            func isNamed(_ words: String...) throws -> Bool {
                let run = try spare.run([Products.enroll] + words)
                let setting = "To use the PIN in sudo and su here, set sudo_over_ssh = pin in "
                let sentence = "sudo asks for the password here: it belongs to no login session."
                #expect(run.output.contains(sentence) == run.output.contains(setting), "\(run.all)")
                #expect(!run.output.contains("method"), "\(run.all)")
                return run.output.contains(sentence)
            }
            #expect(try isNamed("pam", "enable", "sudo"))
            #expect(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            #expect(try isNamed("pam", "show", "sudo"))
            #expect(try isNamed("doctor"))
            #expect(try spare.test("4962").output.contains("set sudo_over_ssh = pin"))
            try spare.append("sudo_over_ssh = pin\n", to: "/etc/mpin/mpin.conf")
            #expect(try !isNamed("pam", "show", "sudo") && !isNamed("doctor"))
            #expect(try !spare.test("4962").output.contains("sudo"))
        }
    }
}
