// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// M-Pin's profile of pam-auth-update, which changes the file that most services include.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct SharedStackTests {
        /// What the package installs.
        private static let profile = Products.repository.appendingPathComponent("packaging/libpam-mpin/mpin")

        private static let shared = "/etc/pam.d/common-auth"
        /// The commands of the hints.
        private static let enabling = "sudo pam-auth-update --enable mpin"
        private static let way = "sudo pam-auth-update --enable unix --disable mpin"

        private static func machine() throws -> SpareMachine {
            let spare = try SpareMachine()
            try install(on: spare)
            return spare
        }

        /// Puts the profile there, and leaves it off.
        static func install(on spare: SpareMachine) throws {
            try spare.put(String(contentsOf: profile, encoding: .utf8), at: "/usr/share/pam-configs/mpin")
        }

        static func enable(on spare: SpareMachine) throws { try update(spare, "--enable", "mpin") }

        static func disable(on spare: SpareMachine) throws {
            try update(spare, "--enable", "unix", "--disable", "mpin")
        }

        private static func update(_ spare: SpareMachine, _ words: String...) throws {
            let run = try spare.run(["/usr/sbin/pam-auth-update"] + words)
            try #require(run.status == 0, "\(run.all)")
        }

        @Test func `pam enable changes one program, and names the command for all services`() throws {
            let spare = try Self.machine()
            let before = try spare.data(Self.shared)
            let line = "\nTo change all services that include common-auth instead: \(Self.enabling)\n"
            for more in [[], ["--yes"]] {
                let run = try spare.run([Products.enroll, "pam", "enable", "sudo"] + more)
                #expect(run.status == 0 && run.output.contains(line), "\(run.all)")
                #expect(run.output.contains("+++ /etc/pam.d/sudo\n"), "\(run.all)")
            }
            #expect(try spare.data(Self.shared) == before)
            #expect(try spare.logIn("sudo", typing: "4962") && !spare.logIn("login", typing: "4962"))
            // The recipe of the profile is another one, and not every service includes common-auth.
            try spare.put("auth required pam_unix.so\naccount required pam_unix.so\n", at: "/etc/pam.d/kiosk")
            for call in [["su", "--recipe", "addition"], ["kiosk"]] {
                let run = try spare.run([Products.enroll, "pam", "enable"] + call)
                #expect(run.status == 0 && !run.output.contains("pam-auth-update"), "\(run.all)")
            }
            // The command that is named.
            try #require(try spare.enroll("pam", "disable", "sudo", "--yes").status == 0)
            try Self.enable(on: spare)
            for service in ["sudo", "login"] {
                #expect(try spare.logIn(service, typing: "4962"))
                #expect(try spare.logIn(service, typing: "", SpareMachine.password))
            }
        }

        @Test func `a machine without the profile gets no command for all services`() throws {
            let spare = try SpareMachine()
            let run = try spare.enroll("pam", "enable", "sudo")
            #expect(run.status == 0 && !run.output.contains("pam-auth-update"), "\(run.all)")
        }

        @Test func `pam disable leaves common-auth, and names the command`() throws {
            let spare = try Self.machine()
            try #require(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            try Self.enable(on: spare)
            let all = "Turn off the PIN for every service that includes common-auth: \(Self.way)\n"
            let before = try spare.data(Self.shared)
            // The service's own lines are taken out, and it still asks by the shared one.
            let own = try spare.enroll("pam", "disable", "sudo", "--yes")
            let sentence = "The lines were removed, but sudo still asks for the PIN: \(Self.shared) line "
            #expect(own.status == 0 && own.output.contains(sentence) && own.output.contains(all), "\(own.all)")
            let file = try spare.data("/etc/pam.d/sudo")
            for more in [[], ["--yes"]] {
                let run = try spare.run([Products.enroll, "pam", "disable", "sudo"] + more)
                #expect(run.status == 78 && run.errors.contains(all), "\(run.all)")
                #expect(run.errors.contains("sudo asks for the PIN through common-auth, which"), "\(run.all)")
            }
            #expect(try spare.data(Self.shared) == before && spare.data("/etc/pam.d/sudo") == file)
            #expect(try spare.logIn(typing: "4962"))
            // The command that is named.
            try Self.disable(on: spare)
            #expect(try !spare.logIn(typing: "4962") && spare.logIn(typing: SpareMachine.password))
            #expect(try spare.enroll("pam", "disable", "sudo", "--yes").output.contains("does not ask"))
        }

        @Test func `the last profile that asks is not switched off without the password`() throws {
            let spare = try Self.machine()
            try Self.enable(on: spare)
            try Self.update(spare, "--disable", "unix")
            let before = try spare.data(Self.shared)
            let refused = try spare.enroll("pam", "disable", "sudo", "--yes")
            #expect(refused.status == 78 && refused.errors.contains(Self.way), "\(refused.all)")
            let kept = try spare.run(["/bin/sh", LockOutTests.prerm, "remove"])
            #expect(kept.status == 1 && kept.errors.contains("\n  \(Self.way)\n"), "\(kept.all)")
            #expect(try spare.data(Self.shared) == before)
            // Done all the same.
            try Self.update(spare, "--disable", "mpin")
            #expect(try spare.logIn(typing: "nothing"))
            let (run, checks) = try DoctorTests.examined(spare)
            let opening = checks.filter { $0["message"] as? String == "sudo lets users in without a password." }
            #expect(opening.count == 1 && opening.first?["grade"] as? String == "fault", "\(run.all)")
            #expect((opening.first?["hint"] as? String)?.hasSuffix(Self.way) == true, "\(run.all)")
            #expect((checks.first?["message"] as? String)?.hasSuffix("lets users in without a password.") == true)
            // The command that is named.
            try Self.disable(on: spare)
            #expect(try !spare.logIn(typing: "nothing") && spare.logIn(typing: SpareMachine.password))
        }

        @Test func `an automatic login is meant to open`() throws {
            let spare = try Self.machine()
            try Self.enable(on: spare)
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
    }
}
