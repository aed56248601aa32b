// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// What AppArmor does to logins with the PIN.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct SurroundingsTests {
        private static let profile = [
            "/sys/kernel/security/apparmor/profiles": "other (complain)\n/usr/bin/sudo (enforce)\n",
            "/etc/apparmor.d/usr.bin.sudo": "/usr/bin/sudo {\n  include if exists <local/usr.bin.sudo>\n}\n",
        ]

        private static func machine(_ files: [String: String]) throws -> SpareMachine {
            let spare = try SpareMachine()
            try #require(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            for (path, text) in files { try spare.put(text, at: path) }
            return spare
        }

        @Test func `a profile that does not allow it is named, and fixed by the named command`() throws {
            let sentence = "AppArmor confines sudo with /etc/apparmor.d/usr.bin.sudo"
            let spare = try Self.machine(Self.profile)
            let found = try spare.findings(sentence)
            #expect(found.count == 1 && found.first?["grade"] as? String == "warning", "\(found)")
            let hint = try #require(found.first?["hint"] as? String)
            let command = try #require(hint.components(separatedBy: ": ").dropFirst().joined(separator: ": "))
            #expect(command.contains("sudo "), "\(hint)")
            // The command's other programs are missing here; they do not change what is written.
            let script = "sudo() { \"$@\"; }; apparmor_parser() { :; }; \(command)"
            let mended = try spare.run(["/bin/sh", "-c", script])
            #expect(mended.status == 0, "\(mended.all)")
            #expect(try spare.findings(sentence).isEmpty, "\(command)")
        }

        private static let harmless: [[String: String]] = [
            [
                "/sys/kernel/security/apparmor/profiles": "/usr/bin/sudo (complain)\n",
                "/etc/apparmor.d/usr.bin.sudo": "/usr/bin/sudo {\n}\n",
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
