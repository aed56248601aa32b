// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Services that need an enrollment, and machines that lose the last one.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct LockOutTests {
        private static func record(_ spare: SpareMachine) -> String {
            spare.machine.store + "/users/\(SpareMachine.account).json"
        }

        private static func remove(_ spare: SpareMachine) throws -> Run {
            try spare.enroll("remove", "--user", SpareMachine.account, "--local-only", "--yes")
        }

        @Test func `the last enrollment stays while a service needs it`() throws {
            let spare = try SpareMachine()
            try #require(try spare.enroll("pam", "enable", "sudo", "--recipe", "addition", "--yes").status == 0)
            let refused = try Self.remove(spare)
            #expect(refused.status == 78, "\(refused.all)")
            #expect(
                refused.errors.contains("Without it, no user can log in through sudo: the PIN is required"),
                "\(refused.all)")
            #expect(refused.errors.contains("mpin-enroll pam disable sudo --yes"), "\(refused.all)")
            #expect(try spare.logIn(typing: SpareMachine.password, "4962"))
            // The way that is named.
            try #require(try spare.enroll("pam", "disable", "sudo", "--yes").status == 0)
            #expect(try Self.remove(spare).status == 0)
            #expect(access(Self.record(spare), F_OK) != 0)
        }

        @Test func `it is removed where the password is enough without it`() throws {
            let spare = try SpareMachine()
            try #require(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            let removed = try Self.remove(spare)
            #expect(removed.status == 0, "\(removed.all)")
            #expect(try spare.logIn(typing: SpareMachine.password))
        }

        @Test func `without enrolled users, a service that needs it is a problem`() throws {
            let spare = try SpareMachine()
            try #require(try spare.enroll("pam", "enable", "sudo", "--recipe", "addition", "--yes").status == 0)
            #expect(try spare.enroll("doctor").status == 0)
            try #require(unlink(Self.record(spare)) == 0)
            let run = try spare.enroll("doctor")
            #expect(run.status == 1, "\(run.all)")
            #expect(
                run.output.contains(
                    "No user can log in through sudo: the PIN is required there, and no user is enrolled"), "\(run.all)"
            )
            #expect(run.output.contains("mpin-enroll pam disable sudo --yes\n"), "\(run.all)")
        }

        /// The command of the package before it removes the module.
        static let prerm = Products.repository.path + "/packaging/libpam-mpin/prerm"

        @Test func `the package stays for lines that need it, and names what takes them out`() throws {
            let spare = try SpareMachine()
            try #require(try spare.enroll("pam", "enable", "sudo", "--recipe", "addition", "--yes").status == 0)
            try spare.append("auth required pam_mpin.so\n", to: "/etc/pam.d/su")
            let count =
                try spare.read("/etc/pam.d/su").split(separator: "\n", omittingEmptySubsequences: false).count - 1
            let programs = URL(fileURLWithPath: Products.enroll).deletingLastPathComponent().path
            let path = "PATH=\(programs):/usr/sbin:/usr/bin:/sbin:/bin"
            let run = try spare.run(["/usr/bin/env", path, "/bin/sh", Self.prerm, "remove"])
            #expect(run.status == 1 && run.errors.contains("libpam-mpin is not removed"), "\(run.all)")
            #expect(run.errors.contains("\n  sudo mpin-enroll pam disable sudo --yes\n"), "\(run.all)")
            #expect(run.errors.contains("\n  sudoedit /etc/pam.d/su   # line \(count)\n"), "\(run.all)")
            // Without the tool, they are removed by hand.
            let alone = try spare.run(["/bin/sh", Self.prerm, "remove"])
            #expect(alone.errors.contains("\n  sudoedit /etc/pam.d/sudo   # line "), "\(alone.all)")
        }

        @Test(arguments: [
            ("../elsewhere/pin", "/etc/elsewhere/pin"), ("sub/pin", "/etc/pam.d/sub/pin"), ("pin~", "/etc/pam.d/pin~"),
            ("vendor/pin", "/usr/lib/pam.d/vendor/pin"),
        ])
        func `the package stays for a line in an included file`(name: String, path: String) throws {
            let spare = try SpareMachine(isEnrolled: false)
            try spare.put("auth sufficient pam_mpin.so\n", at: path)
            // A directory, which libpam takes for an empty file, hides no other one.
            try spare.put(
                "@include sub\nauth include \(name)\n@include common-auth\n@include common-account\n",
                at: "/etc/pam.d/sudo")
            try spare.put("", at: "/etc/pam.d/sub/other")
            let run = try spare.run(["/bin/sh", Self.prerm, "remove"])
            #expect(run.status == 1 && run.errors.contains("libpam-mpin is not removed"), "\(run.all)")
            #expect(run.errors.contains("\(name):1: auth sufficient pam_mpin.so\n"), "\(run.all)")
        }

        @Test func `a blocked enrollment lets no user in`() throws {
            let spare = try SpareMachine()
            try spare.block()
            let before = try spare.read("/etc/pam.d/sudo")
            let run = try spare.enroll("pam", "enable", "sudo", "--recipe", "addition", "--yes")
            #expect(
                run.status == 78 && run.errors.contains("sudo would refuse every user: every enrollment"),
                "\(run.all)")
            #expect(try spare.read("/etc/pam.d/sudo") == before)
            // The password still decides.
            let instead = try spare.enroll("pam", "enable", "sudo", "--yes")
            #expect(instead.status == 0, "\(instead.all)")
        }
    }
}
