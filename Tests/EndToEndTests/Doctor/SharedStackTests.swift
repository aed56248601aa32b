// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// M-Pin's profile of pam-auth-update, and the services whose files count the lines of what they include.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct SharedStackTests {
        /// What the package installs.
        private static let profile = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("packaging/libpam-mpin/mpin")

        static func profileText() throws -> String { try String(contentsOf: profile, encoding: .utf8) }

        private static let shared = "/etc/pam.d/common-auth"
        private static let account = "account required pam_permit.so\n"

        /// - Parameter isEnabled: whether the profile is on, as by an administrator who has called pam-auth-update.
        private static func machine(isEnabled: Bool = false) throws -> SpareMachine {
            let spare = try SpareMachine()
            try spare.put(profileText(), at: "/usr/share/pam-configs/mpin")
            if isEnabled { try #require(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0) }
            return spare
        }

        /// A service whose jump leads somewhere in the shared file, or behind it.
        private static func jump(_ count: Int, _ kind: String = "@include") -> String {
            let line = kind == "@include" ? "@include common-auth" : "auth \(kind) common-auth"
            return "auth [success=\(count) default=ignore] pam_succeed_if.so quiet uid >= 0\n\(line)\n" + account
        }

        /// Debian's common-auth, whose lines the jumps below count.
        @Test func `the shared file has the lines that these tests count`() throws {
            let spare = try Self.machine()
            let modules = try spare.read(Self.shared).split(separator: "\n").filter { $0.hasPrefix("auth") }
                .compactMap { $0.split(whereSeparator: \.isWhitespace).first { $0.hasSuffix(".so") } }
            #expect(modules == ["pam_unix.so", "pam_deny.so", "pam_permit.so", "pam_cap.so"])
        }

        @Test func `the last profile that asks is not switched off without the password`() throws {
            let spare = try Self.machine(isEnabled: true)
            try #require(try spare.run(["/usr/sbin/pam-auth-update", "--disable", "unix"]).status == 0)
            let way = "sudo pam-auth-update --enable unix --disable mpin"
            let before = try spare.data(Self.shared)
            let refused = try spare.enroll("pam", "disable", "sudo", "--yes")
            #expect(
                refused.status == 78 && refused.errors.contains("would let users in without a password: "),
                "\(refused.all)")
            #expect(refused.errors.contains(way), "\(refused.all)")
            let kept = try spare.run(["/bin/sh", LockOutTests.prerm, "remove"])
            #expect(kept.status == 1 && kept.errors.contains("\n  \(way)\n"), "\(kept.all)")
            #expect(try spare.data(Self.shared) == before)
            // Done all the same.
            try #require(try spare.run(["/usr/sbin/pam-auth-update", "--disable", "mpin"]).status == 0)
            #expect(try spare.logIn(typing: "nothing"))
            let run = try spare.enroll("doctor", "--json")
            let checks = try #require(try run.json()["checks"] as? [[String: Any]])
            let opening = checks.filter { $0["message"] as? String == "sudo lets users in without a password." }
            #expect(opening.count == 1 && opening.first?["grade"] as? String == "fault", "\(run.all)")
            #expect((opening.first?["hint"] as? String)?.hasSuffix(way) == true, "\(run.all)")
            #expect((checks.first?["message"] as? String)?.hasSuffix("lets users in without a password.") == true)
            // The command that is named.
            try #require(
                try spare.run(["/usr/sbin/pam-auth-update", "--enable", "unix", "--disable", "mpin"]).status == 0)
            #expect(try !spare.logIn(typing: "nothing") && spare.logIn(typing: SpareMachine.password))
        }

        @Test func `an automatic login is meant to open`() throws {
            let spare = try Self.machine(isEnabled: true)
            try spare.put("auth required pam_permit.so\n@include common-account\n", at: "/etc/pam.d/autologin")
            let run = try spare.enroll("doctor")
            #expect(!run.output.contains("lets users in"), "\(run.all)")
        }

        @Test func `sudo is never meant to open`() throws {
            let spare = try Self.machine()
            try spare.put("auth sufficient pam_permit.so\n", at: "/etc/pam.d/sudo")
            let (run, checks) = try DoctorTests.examined(spare)
            let first = try #require(checks.first)
            #expect(run.status == 1 && first["grade"] as? String == "fault", "\(run.all)")
            #expect(first["message"] as? String == "sudo lets users in without a password.", "\(run.all)")
        }

        @Test(arguments: [
            // Onto the line that lets in, and onto the one before it afterwards.
            (2, "@include", "kiosk would refuse users that it now lets in"),
            (2, "include", "kiosk would refuse users that it now lets in"),
            // Past the line that lets in, and onto it afterwards.
            (3, "@include", "kiosk would let in users that it now refuses"),
        ])
        func `the profile stays off where it would lead another service astray`(
            count: Int, kind: String, sentence: String
        ) throws {
            let spare = try Self.machine()
            try spare.put(Self.jump(count, kind), at: "/etc/pam.d/kiosk")
            let letsIn = try spare.logIn("kiosk")
            #expect(letsIn || count == 3)
            let before = try spare.data(Self.shared), answers = try spare.data("/var/cache/debconf/config.dat")
            for more in [[], ["--yes"]] {
                let run = try spare.run([Products.enroll, "pam", "enable", "sudo"] + more)
                #expect(run.status == 78 && run.errors.contains(sentence), "\(run.all)")
                #expect(run.errors.contains("mpin-enroll pam enable sudo --only --yes"), "\(run.all)")
            }
            #expect(try spare.data(Self.shared) == before)
            #expect(try spare.data("/var/cache/debconf/config.dat") == answers)
            #expect(try spare.logIn("kiosk") == letsIn)
            // The way that is named.
            #expect(try spare.enroll("pam", "enable", "sudo", "--only", "--yes").status == 0)
            #expect(try spare.logIn(typing: "4962") && spare.logIn("kiosk") == letsIn)
        }

        @Test func `a service that came with the system counts too`() throws {
            let spare = try Self.machine()
            try spare.put(Self.jump(2), at: "/usr/lib/pam.d/kiosk")
            let run = try spare.enroll("pam", "enable", "sudo", "--yes")
            #expect(run.status == 78 && run.errors.contains(", kiosk would refuse users"), "\(run.all)")
        }

        @Test func `a substack counts as one line, however many it has`() throws {
            let spare = try Self.machine()
            try spare.put(Self.jump(1, "substack") + "auth required pam_permit.so\n", at: "/etc/pam.d/kiosk")
            let run = try spare.enroll("pam", "enable", "sudo", "--yes")
            #expect(run.status == 0 && run.output.contains("kiosk"), "\(run.all)")
            #expect(try spare.logIn("kiosk"))
        }

        @Test func `the profile stays on where another service would be open without it`() throws {
            let spare = try Self.machine(isEnabled: true)
            // Onto the line that refuses, and onto the one that lets in afterwards.
            try spare.put(Self.jump(2), at: "/etc/pam.d/kiosk")
            #expect(try !spare.logIn("kiosk"))
            let before = try spare.data(Self.shared)
            for more in [[], ["--yes"]] {
                let run = try spare.run([Products.enroll, "pam", "disable", "sudo"] + more)
                #expect(run.status == 78, "\(run.all)")
                #expect(run.errors.contains("kiosk would let in users that it now refuses"), "\(run.all)")
                #expect(run.errors.contains("Check the stack: mpin-enroll pam show kiosk\n"), "\(run.all)")
            }
            #expect(try spare.data(Self.shared) == before)
            #expect(unlink(spare.place("/etc/pam.d/kiosk")) == 0)
            #expect(try spare.enroll("pam", "disable", "sudo", "--yes").status == 0)
            #expect(try !spare.logIn(typing: "4962"))
        }

        @Test func `a service that cannot be judged is not changed`() throws {
            let spare = try Self.machine()
            let long = String(repeating: "# a line\n", count: 120_000)
            try spare.put(long + "@include common-auth\n" + Self.account, at: "/etc/pam.d/kiosk")
            let before = try spare.data(Self.shared)
            let run = try spare.enroll("pam", "enable", "sudo", "--yes")
            #expect(run.status == 78 && run.errors.contains("pam.d/kiosk is larger than a megabyte"), "\(run.all)")
            #expect(try spare.data(Self.shared) == before)
        }

        @Test func `lines of a service of its own are not reported as removed`() throws {
            let spare = try Self.machine()
            try #require(try spare.enroll("pam", "enable", "su", "--only", "--yes").status == 0)
            try #require(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            let run = try spare.enroll("pam", "disable", "sudo", "--yes")
            #expect(run.output.contains("These still ask for it, through lines of their own: su"), "\(run.all)")
            #expect(run.output.contains("no longer ask for the PIN: ") && run.status == 0, "\(run.all)")
            #expect(try spare.logIn("su", typing: "4962"))
            // The service itself, by a line of its administrator's.
            try #require(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            try spare.put("auth sufficient pam_mpin.so\n" + spare.read("/etc/pam.d/sudo"), at: "/etc/pam.d/sudo")
            let left = try spare.enroll("pam", "disable", "sudo", "--yes", "--json")
            #expect(try left.json()["asks"] as? Bool == true, "\(left.all)")
            #expect(try spare.logIn(typing: "4962"))
        }

        /// Another module may refuse or let in, and hides no user: a line below the password's has refused users.
        @Test func `a user whom another module hides is judged separately`() throws {
            let list = "pam_listfile.so item=user sense=allow file=/etc/mpin/people onerr=fail"
            let spare = try SpareMachine(
                sudo: "auth required \(list)\n@include common-auth\n"
                    + "auth required pam_succeed_if.so quiet user ingroup sudo\n@include common-account\n")
            try spare.put(SpareMachine.account + "\n", at: "/etc/mpin/people")
            #expect(try !spare.logIn(typing: SpareMachine.password))
            let before = try spare.read("/etc/pam.d/sudo")
            let run = try spare.enroll("pam", "enable", "sudo", "--only", "--yes")
            #expect(run.status == 78 && run.errors.contains("sudo would let in users that another line"), "\(run.all)")
            #expect(try spare.read("/etc/pam.d/sudo") == before)
        }
    }
}
