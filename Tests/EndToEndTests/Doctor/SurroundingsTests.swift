// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// What AppArmor does to logins with the PIN.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct SurroundingsTests {
        struct Setting: Sendable {
            let name: String
            /// Doctor's message about it.
            let sentence: String
            /// The files of it.
            let files: [String: String]
            /// Whether what doctor names can be done on a machine without the programs in it.
            var isMendable = true
        }

        private static let settings = [
            Setting(
                name: "a profile that knows nothing of it",
                sentence: "AppArmor confines sudo with /etc/apparmor.d/usr.bin.sudo",
                files: [
                    "/sys/kernel/security/apparmor/profiles": "other (complain)\n/usr/bin/sudo (enforce)\n",
                    "/etc/apparmor.d/usr.bin.sudo": "/usr/bin/sudo {\n  include if exists <local/usr.bin.sudo>\n}\n",
                ]),
            Setting(
                name: "the server's own profile",
                sentence: "AppArmor has not loaded /etc/apparmor.d/mpin-server",
                files: [
                    "/sys/kernel/security/apparmor/profiles": "other (enforce)\n",
                    "/etc/apparmor.d/mpin-server": "profile mpin-server {\n}\n",
                ], isMendable: false),
        ]

        private static func machine(_ files: [String: String]) throws -> SpareMachine {
            let spare = try SpareMachine()
            try #require(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            for (path, text) in files { try spare.put(text, at: path) }
            return spare
        }

        @Test(arguments: settings.indices) func `each is named, and fixed by the named command`(number: Int) throws {
            let setting = Self.settings[number]
            let spare = try Self.machine(setting.files)
            let found = try spare.findings(setting.sentence)
            #expect(found.count == 1 && found.first?["grade"] as? String == "warning", "\(setting.name): \(found)")
            let hint = try #require(found.first?["hint"] as? String)
            let command = try #require(hint.components(separatedBy: ": ").dropFirst().joined(separator: ": "))
            #expect(command.contains("sudo "), "\(hint)")
            guard setting.isMendable else { return }
            // The command's other programs are missing here; they do not change what is written.
            let script = "sudo() { \"$@\"; }; systemctl() { :; }; apparmor_parser() { :; }; \(command)"
            let mended = try spare.run(["/bin/sh", "-c", script])
            #expect(mended.status == 0, "\(mended.all)")
            #expect(try spare.findings(setting.sentence).isEmpty, "\(setting.name): \(command)")
        }

        private static let harmless: [[String: String]] = [
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
            let found = try spare.findings("AppArmor").filter { $0["grade"] as? String != "ok" }
            #expect(found.isEmpty, "\(found)")
        }
    }
}
