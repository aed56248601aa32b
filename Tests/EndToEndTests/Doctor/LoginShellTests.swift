// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Programs that use another service for a login shell: sudo -i and su -l.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct LoginShellTests {
        private static let file = "@include common-auth\n@include common-account\n"
        private static let files = ["/etc/pam.d/sudo", "/etc/pam.d/sudo-i"]

        private static func machine() throws -> SpareMachine {
            let spare = try SpareMachine(sudoLogin: file)
            try spare.put(
                "Defaults timestamp_timeout=0, !lecture\n\(SpareMachine.account) ALL=(ALL) ALL\n", at: "/etc/sudoers",
                mode: 0o440)
            // The tests run in no login session.
            try spare.append("sudo_over_ssh = pin\n", to: "/etc/mpin/mpin.conf")
            return spare
        }

        /// sudo, started by the account at a terminal.
        private static func sudo(_ spare: SpareMachine, _ options: [String]) throws -> Terminal {
            try spare.terminal(
                Launcher.user(63_999) + ["/usr/bin/sudo"] + options
                    + ["/bin/echo", "GOT", "IN"])
        }

        /// Whether the password alone opens a login shell.
        private static func takesPasswordAlone(_ spare: SpareMachine) throws -> Bool {
            let terminal = try sudo(spare, ["-i"])
            guard terminal.shows("assword") else { return false }
            terminal.type(SpareMachine.password)
            let next = terminal.first(of: "GOT IN", "PIN")
            #expect(next != nil, "\(terminal.screen)")
            return next == "GOT IN"
        }

        @Test func `the second factor of sudo is asked for by sudo -i too`() throws {
            let spare = try Self.machine()
            #expect(try Self.takesPasswordAlone(spare))
            let before = try Self.files.map { try spare.read($0) }
            let run = try spare.enroll("pam", "enable", "sudo", "--recipe", "addition", "--yes")
            #expect(run.status == 0, "\(run.all)")
            #expect(run.output.contains("+++ /etc/pam.d/sudo\n") && run.output.contains("+++ /etc/pam.d/sudo-i\n"))
            for name in ["sudo", "sudo-i"] {
                #expect(run.output.contains("\n\(name) asks for the PIN now.\n"), "\(run.all)")
            }
            for option in [[], ["-i"]] {
                let terminal = try Self.sudo(spare, option)
                terminal.answer("assword", SpareMachine.password)
                terminal.answer("PIN", "4962")
                #expect(terminal.shows("GOT IN"), "\(terminal.screen)")
            }
            #expect(try !Self.takesPasswordAlone(spare))

            let needed = try spare.enroll("remove", "--user", SpareMachine.account, "--local-only", "--yes")
            #expect(needed.errors.contains("through sudo, sudo-i: the PIN is required"), "\(needed.all)")
            #expect(needed.errors.contains(": mpin-enroll pam disable sudo --yes "), "\(needed.all)")
            #expect(!needed.errors.contains("&&"), "\(needed.all)")
            let again = try spare.enroll("pam", "enable", "sudo-i", "--recipe", "addition", "--yes")
            #expect(again.status == 0 && again.output.contains("sudo already asks"), "\(again.all)")
            // Either name takes out the lines of both.
            #expect(try spare.enroll("pam", "disable", "sudo-i", "--yes").status == 0)
            #expect(try Self.files.map { try spare.read($0) } == before)
        }

        @Test func `sudo -i takes the PIN instead of the password, and asks twice`() throws {
            let spare = try Self.machine()
            let run = try spare.enroll("pam", "enable", "sudo-i", "--yes", "--json")
            let files = try run.json()["files"] as? [[String: Any]]
            #expect(files?.compactMap { $0["service"] as? String } == ["sudo", "sudo-i"], "\(run.all)")
            #expect(
                try spare.read("/etc/pam.d/sudo-i") == spare.read("/etc/pam.d/sudo").replacing("sudo", with: "sudo-i"))
            for option in [[], ["-i"]] {
                let terminal = try Self.sudo(spare, option)
                terminal.answer("PIN", "4963")
                terminal.answer("PIN", "4962")
                #expect(terminal.shows("GOT IN"), "\(terminal.screen)")
            }
        }

        @Test(arguments: ["addition", "instead"])
        func `a service that lacks the line is a fault until it has it`(recipe: String) throws {
            let spare = try Self.machine()
            try #require(
                try spare.enroll("pam", "enable", "sudo", "--recipe", recipe, "--yes").status == 0)
            let (whole, _) = try DoctorTests.examined(spare)
            #expect(whole.status == 0, "\(whole.all)")
            for (silent, command) in [("sudo-i", "sudo -i"), ("sudo", "sudo")] {
                let path = "/etc/pam.d/" + silent, other = silent == "sudo" ? "sudo-i" : "sudo"
                let complete = try spare.read(path)
                try spare.put(Self.file, at: path)
                let sentence =
                    "'\(command)' asks for no PIN: its service is \(silent), and only \(other) asks for the PIN."
                let way = "mpin-enroll pam enable \(other) --recipe \(recipe)"
                let (run, checks) = try DoctorTests.examined(spare)
                let check = try #require(checks.first { $0["message"] as? String == sentence }, "\(run.all)")
                #expect(run.status == 1 && check["grade"] as? String == "fault", "\(run.all)")
                #expect((check["hint"] as? String)?.hasSuffix(way) == true, "\(run.all)")
                for service in ["sudo", "sudo-i"] {
                    let shown = try spare.enroll("pam", "show", service)
                    #expect(shown.status == 0 && shown.output.contains(sentence + "\n"), "\(shown.all)")
                    #expect(shown.output.contains(way), "\(shown.all)")
                }
                // The command that is named.
                let words = way.split(separator: " ").dropFirst().map(String.init)
                #expect(try spare.run([Products.enroll] + words + ["--yes"]).status == 0)
                #expect(try spare.read(path) == complete)
            }
            let (mended, _) = try DoctorTests.examined(spare)
            #expect(mended.status == 0, "\(mended.all)")
        }

        @Test func `a service that asks in another way is a fault`() throws {
            let spare = try Self.machine()
            try #require(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            let instead = try spare.read("/etc/pam.d/sudo-i")
            try #require(try spare.enroll("pam", "disable", "sudo", "--yes").status == 0)
            try #require(try spare.enroll("pam", "enable", "sudo", "--recipe", "addition", "--yes").status == 0)
            try spare.put(instead, at: "/etc/pam.d/sudo-i")
            let (run, checks) = try DoctorTests.examined(spare)
            let check = checks.first { ($0["message"] as? String)?.contains("in different ways") == true }
            #expect(run.status == 1 && check?["grade"] as? String == "fault", "\(run.all)")
            let refused = try spare.enroll("pam", "enable", "sudo", "--recipe", "addition", "--yes")
            #expect(refused.status == 78 && refused.errors.contains("sudo-i already asks for the PIN, but instead"))
        }

        @Test func `both files change, or none`() throws {
            let spare = try Self.machine()
            let refusing = "auth required pam_permit.so\n"
            try spare.put(refusing, at: "/etc/pam.d/sudo-i")
            let run = try spare.enroll("pam", "enable", "sudo", "--yes")
            #expect(run.status == 78 && run.errors.contains("sudo-i has no line that asks"), "\(run.all)")
            #expect(try spare.read("/etc/pam.d/sudo") == Self.file && spare.read("/etc/pam.d/sudo-i") == refusing)
            // The second file cannot be written.
            try spare.put(Self.file, at: "/etc/pam.d/sudo-i")
            let backup = spare.place("/etc/pam.d/sudo-i.pam-old")
            try #require(try Run("/bin/mkdir", ["-p", backup + "/full"]).status == 0)
            let failed = try spare.enroll("pam", "enable", "sudo", "--yes")
            #expect(failed.status == 74, "\(failed.all)")
            for path in Self.files { #expect(try spare.read(path) == Self.file) }
        }

        @Test func `a service that includes the other one gets no second line`() throws {
            let spare = try Self.machine()
            let su = try spare.read("/etc/pam.d/su-l")
            try #require(su.contains("auth\t\tinclude\t\tsu\n"))
            let run = try spare.enroll("pam", "enable", "su-l", "--yes")
            #expect(run.status == 0 && run.output.contains("su-l asks for the PIN now."), "\(run.all)")
            #expect(try spare.read("/etc/pam.d/su-l") == su)
            #expect(try spare.logIn("su", typing: "4962") && spare.logIn("su-l", typing: "4962"))
            let (whole, _) = try DoctorTests.examined(spare)
            #expect(whole.status == 0, "\(whole.all)")
            try #require(try spare.enroll("pam", "disable", "su", "--yes").status == 0)
            // As on systems where it has lines of its own.
            try spare.put(Self.file, at: "/etc/pam.d/su-l")
            try #require(
                try spare.enroll("pam", "enable", "su", "--recipe", "addition", "--yes").status == 0)
            #expect(try !spare.logIn("su-l", typing: SpareMachine.password, ""))
        }
    }
}
