// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// What other programs' settings do to logins with the PIN: sshd's and AppArmor's.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct SurroundingsTests {
        struct Setting: Sendable {
            let name: String
            /// Doctor's message about it.
            let sentence: String
            /// The files of it.
            let files: [String: String]
            var grade = "fault"
            /// Whether what doctor names can be done on a machine without the programs in it.
            var isMendable = true
        }

        private static let stack = "@include common-auth\n@include common-account\n"
        private static let sshd = "auth sufficient pam_mpin.so method=device\n" + stack
        private static let settings = [
            Setting(
                name: "sshd without PAM", sentence: "UsePAM is no, in /etc/ssh/sshd_config line 2.",
                files: ["/etc/pam.d/sshd": sshd, "/etc/ssh/sshd_config": "# sshd\nUsePAM no\n"]),
            Setting(
                name: "sshd as it is without a word", sentence: "sshd does not use PAM: UsePAM is no.",
                files: ["/etc/pam.d/sshd": sshd, "/etc/ssh/sshd_config": "Match user bob\nUsePAM yes\n"]),
            Setting(
                name: "sshd without prompts",
                sentence: "KbdInteractiveAuthentication is no, in /etc/ssh/sshd_config.d/own.conf line 1.",
                files: [
                    "/etc/pam.d/sshd": sshd, "/etc/ssh/sshd_config.d/own.conf": "KbdInteractiveAuthentication=no\n",
                    "/etc/ssh/sshd_config":
                        "Include /etc/ssh/sshd_config.d/own*.conf\nUsePAM yes\nKbdInteractiveAuthentication yes\n",
                ]),
            Setting(
                name: "sshd without prompts, by the old name", sentence: "KbdInteractiveAuthentication is no",
                files: [
                    "/etc/pam.d/sshd": sshd,
                    "/etc/ssh/sshd_config": "usepam yes\nChallengeResponseAuthentication no\n",
                ]),
            Setting(
                name: "a profile that knows nothing of it",
                sentence: "AppArmor confines sudo with /etc/apparmor.d/usr.bin.sudo",
                files: [
                    "/sys/kernel/security/apparmor/profiles": "other (complain)\n/usr/bin/sudo (enforce)\n",
                    "/etc/apparmor.d/usr.bin.sudo": "/usr/bin/sudo {\n  include if exists <local/usr.bin.sudo>\n}\n",
                ], grade: "warning"),
            Setting(
                name: "the server's own profile",
                sentence: "AppArmor has not loaded /etc/apparmor.d/mpin-server",
                files: [
                    "/sys/kernel/security/apparmor/profiles": "other (enforce)\n",
                    "/etc/apparmor.d/mpin-server": "profile mpin-server {\n}\n",
                ], grade: "warning", isMendable: false),
        ]

        private static func machine(_ files: [String: String]) throws -> SpareMachine {
            let spare = try SpareMachine()
            try #require(try spare.enroll("pam", "enable", "sudo", "--only", "--yes").status == 0)
            for (path, text) in files { try spare.put(text, at: path) }
            return spare
        }

        private static func checks(_ spare: SpareMachine, _ sentence: String) throws -> [[String: Any]] {
            let run = try spare.enroll("doctor", "--json")
            let checks = try #require(try run.json()["checks"] as? [[String: Any]], "\(run.all)")
            return checks.filter { ($0["message"] as? String ?? "").contains(sentence) }
        }

        @Test(arguments: settings.indices) func `each is named, and fixed by the named command`(number: Int) throws {
            let setting = Self.settings[number]
            let spare = try Self.machine(setting.files)
            let found = try Self.checks(spare, setting.sentence)
            #expect(found.count == 1 && found.first?["grade"] as? String == setting.grade, "\(setting.name): \(found)")
            let hint = try #require(found.first?["hint"] as? String)
            let command = try #require(hint.components(separatedBy: ": ").dropFirst().joined(separator: ": "))
            #expect(command.contains("sudo "), "\(hint)")
            guard setting.isMendable else { return }
            // The command's other programs are missing here; they do not change what is written.
            let script = "sudo() { \"$@\"; }; systemctl() { :; }; apparmor_parser() { :; }; \(command)"
            let mended = try spare.run(["/bin/sh", "-c", script])
            #expect(mended.status == 0, "\(mended.all)")
            #expect(try Self.checks(spare, setting.sentence).isEmpty, "\(setting.name): \(command)")
        }

        private static let harmless: [[String: String]] = [
            ["/etc/pam.d/sshd": sshd, "/etc/ssh/sshd_config": "UsePAM yes\nUsePAM no\nMatch user x\nUsePAM no\n"],
            // If M-Pin asks for nothing, doctor shows nothing.
            ["/etc/pam.d/sshd": "auth sufficient pam_mpin.so\n" + stack, "/etc/ssh/sshd_config": "UsePAM no\n"],
            [
                "/sys/kernel/security/apparmor/profiles": "/usr/bin/sudo (complain)\nmpin-server (enforce)\n",
                "/etc/apparmor.d/usr.bin.sudo": "/usr/bin/sudo {\n}\n", "/etc/apparmor.d/mpin-server": "profile",
            ],
            [
                "/sys/kernel/security/apparmor/profiles": "/usr/bin/sudo (enforce)\n",
                "/etc/apparmor.d/usr.bin.sudo": "/usr/bin/sudo {\n}\n",
                "/etc/apparmor.d/local/usr.bin.sudo": "/var/lib/mpin/** rwk,\n",
            ],
        ]

        @Test(arguments: harmless.indices) func `a harmless setting is not reported`(number: Int) throws {
            let spare = try Self.machine(Self.harmless[number])
            let run = try spare.enroll("doctor", "--json")
            let checks = try #require(try run.json()["checks"] as? [[String: Any]], "\(run.all)")
            let found = checks.filter {
                let message = $0["message"] as? String ?? ""
                return $0["grade"] as? String != "ok"
                    && ["sshd_config", "sshd does not use", "shows no PAM prompts", "AppArmor"].contains {
                        message.contains($0)
                    }
            }
            #expect(found.isEmpty, "\(found)")
        }
    }
}
