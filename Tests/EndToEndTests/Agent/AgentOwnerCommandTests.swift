// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Commands of users for their own registrations at the server, through the agent.
    @Suite(.enabled(if: PrivateSystem.isPossible)) struct AgentOwnerCommandTests {
        private let daemon = AgentMachine.daemon

        private func backupCodes(_ system: AgentMachine) throws -> Int? {
            try system.machine.administer("user", "show", "alice", "--json").json()["backupCodes"] as? Int
        }

        @Test func `an invitation enrolls another device, which is listed and revoked`() throws {
            let system = try AgentMachine()
            let seen = try system.terminal(as: daemon, "invite")
            seen.answer("PIN for alice: ", "4962")
            #expect(seen.end() == 0 && seen.screen.contains("valid 15 minutes (until "), "\(seen.screen)")
            let invited = try system.enroll(as: daemon, "invite", "--ttl", "120", pin: "4962")
            #expect(
                invited.status == 0 && invited.errors.contains("The code enrolls one more device of alice"),
                "\(invited.all)")
            let code = invited.output.trimmingCharacters(in: .newlines)
            let second = try system.machine.second(code, "lost phone", pin: "7351")
            #expect(second.status == 0, "\(second.all)")

            let list = try system.enroll(as: daemon, "devices", pin: "4962")
            #expect(list.status == 0 && list.output.contains("lost phone"), "\(list.all)")
            let needed = try system.enroll(as: daemon, "devices", "revoke", "2", "--no-input", pin: "4962")
            #expect(
                needed.status == 66 && needed.errors.contains("Device 2 (lost phone) was not revoked"), "\(needed.all)")
            #expect(needed.errors.contains("To revoke it, add: --yes"), "\(needed.all)")
            let terminal = try system.terminal(as: daemon, "devices", "revoke", "2")
            terminal.answer("PIN for alice: ", "4962")
            terminal.answer("Revoke device 2 (lost phone)? [y/N] ", "n")
            #expect(terminal.end() == 130 && terminal.screen.contains("Nothing was revoked"), "\(terminal.screen)")
            let revoked = try system.enroll(as: daemon, "devices", "revoke", "2", "--yes", "--json", pin: "4962")
            #expect(try revoked.json()["revoked"] as? Bool == true, "\(revoked.all)")
            // This device needs --yes twice.
            #expect(
                try system.enroll(as: daemon, "devices", "revoke", "1", "--yes", "--json", pin: "4962").status == 66)
            let own = try system.enroll(as: daemon, "devices", "revoke", "1", "--yes", "--yes", pin: "4962")
            #expect(own.status == 0 && own.output.contains("It was this device."), "\(own.all)")
        }

        @Test func `backup codes become valid when the user has them`() throws {
            let system = try AgentMachine()
            let needed = try system.enroll(as: daemon, "backup-codes", "--json", pin: "4962")
            #expect(needed.status == 66 && needed.errorCode == "INPUT_NEEDED", "\(needed.all)")
            let declined = try system.terminal(as: daemon, "backup-codes", "--count", "3")
            declined.answer("PIN for alice: ", "4962")
            declined.answer("Did you write the codes down? [y/N] ", "")
            #expect(declined.end() == 130 && declined.screen.contains("are not valid"), "\(declined.screen)")
            #expect(try backupCodes(system) == 0)
            // If standard output fails, no code becomes valid.
            let call = try system.enrollment(as: daemon, ["backup-codes", "--yes", "--pin-file", "-"])
            for more in [[], ["--json"]] {
                let full = try Run(Launcher.redirecting("> /dev/full") + call + more, input: "4962")
                #expect(full.status == 74, "\(full.all)")
                #expect(try backupCodes(system) == 0)
            }
            let terminal = try system.terminal(as: daemon, "backup-codes", "--count", "3")
            terminal.answer("PIN for alice: ", "4962")
            terminal.answer("Did you write the codes down? [y/N] ", "y")
            #expect(terminal.shows("alice has 3 backup codes") && terminal.end() == 0, "\(terminal.screen)")
            let object = try system.enroll(as: daemon, "backup-codes", "--yes", "--json", pin: "4962").json()
            #expect((object["codes"] as? [String])?.count == 10 && object["backupCodes"] as? Int == 10, "\(object)")
            #expect(try backupCodes(system) == 10)
        }

        @Test func `a file for backup codes belongs to the user, and root never writes to the user's path`() throws {
            let system = try AgentMachine()
            let place = system.machine.directory + "/daemon"
            try #require(mkdir(place, 0o700) == 0 && chown(place, daemon.uid, daemon.uid) == 0)
            let file = place + "/codes"
            let made = try system.enroll(as: daemon, "backup-codes", "--count", "4", "--codes-file", file, pin: "4962")
            #expect(made.status == 0 && made.output.isEmpty, "\(made.all)")
            var status = stat()
            #expect(stat(file, &status) == 0 && status.st_uid == daemon.uid && status.st_mode & 0o777 == 0o600)
            let codes = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            #expect(codes.count == 4 && codes.allSatisfy { $0.count > 8 }, "\(codes.count)")
            #expect(try backupCodes(system) == 4)
            // Another user's directory, and an existing file.
            for path in [system.machine.store + "/codes", file] {
                let refused = try system.enroll(as: daemon, "backup-codes", "--codes-file", path, pin: "4962")
                #expect(refused.status == 65, "\(refused.all)")
            }
            #expect(access(system.machine.store + "/codes", F_OK) != 0)
            #expect(try backupCodes(system) == 4)
        }
    }
}
