// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Commands of users for their own registrations at the server.
    @Suite struct OwnerCommandTests {
        @Test func `a device lists and revokes others, and itself only with --yes twice`() throws {
            let machine = try Machine.enrolled()
            let invited = try machine.enroll("invite", "--json", pin: "4962")
            #expect(invited.status == 0, "\(invited.all)")
            let code = try #require(try invited.json()["code"] as? String)
            let second = try machine.second(code, "lost phone", pin: "7351")
            #expect(second.status == 0, "\(second.all)")
            #expect(try machine.ownDevices() == [1: "REGISTERED", 2: "REGISTERED"])
            let list = try machine.enroll("devices", pin: "4962")
            #expect(list.output.contains("lost phone") && list.output.contains("this device"), "\(list.all)")

            let asked = try machine.enroll("devices", "revoke", "2", pin: "4962")
            #expect(
                asked.status == 66 && asked.errors.contains("Device 2 (lost phone) was not revoked")
                    && asked.errors.contains("add: --yes\n"), "\(asked.all)")
            #expect(try machine.ownDevices()[2] == "REGISTERED")
            let gone = try machine.enroll("devices", "revoke", "2", "--yes", pin: "4962")
            #expect(gone.status == 0 && gone.output.contains("Device 2 (lost phone) is revoked"), "\(gone.all)")
            #expect(try machine.ownDevices() == [1: "REGISTERED", 2: "REVOKED"])
            #expect(
                try machine.enroll("devices", "revoke", "7", "--yes", "--json", pin: "4962").errorCode
                    == "NO_SUCH_DEVICE")

            let once = try machine.enroll("devices", "revoke", "1", "--yes", pin: "4962")
            #expect(
                once.status == 66
                    && once.errors.contains("the device that you are using. To revoke it, add: --yes --yes"),
                "\(once.all)")
            let twice = try machine.enroll("devices", "revoke", "1", "--yes", "--yes", pin: "4962")
            #expect(twice.status == 0 && twice.output.contains("remove --local-only"), "\(twice.all)")
            let lost =
                "It was this device. Its PIN and its backup codes no longer work.\nnext      To use this machine again: "
            #expect(twice.output.contains(lost) && twice.output.contains("mpin-enroll recover"), "\(twice.all)")
            #expect(twice.output.contains("\n          Otherwise, delete its local data: "), "\(twice.all)")
            #expect(try machine.enroll("test", "--json", pin: "4962").status == 83)
            // The administrator cannot undo the owner's action, but a new code helps.
            #expect(try machine.administer("user", "restore", "alice", "--device", "1").status != 0)
            let test = try machine.enroll("test", pin: "4962")
            #expect(!test.all.contains("restore") && test.all.contains("mpin-server invite alice"), "\(test.all)")
            #expect(test.errors.contains("Then run: ") && test.errors.contains("mpin-enroll recover"), "\(test.all)")
            let status = try machine.enroll("status")
            #expect(
                status.output.contains("revoked at the last login") && status.output.contains("mpin-enroll test"),
                "\(status.all)")
            #expect(try machine.enroll("recover", "--code", machine.invitation(), pin: "7351").status == 0)
        }

        @Test func `a wrong PIN counts and returns nothing`() throws {
            let machine = try Machine.enrolled(maximum: 9)
            let file = machine.directory + "/codes"
            for command in [["devices"], ["invite"], ["logout"], ["backup-codes", "--codes-file", file]] {
                let before = try machine.counted()
                let run = try Run(
                    Products.enroll, machine.call(command[0]) + command.dropFirst() + ["--json", "--pin-file", "-"],
                    input: "4963")
                #expect(run.status == 81, "\(command): \(run.all)")
                #expect(try machine.counted() == before + 1)
                #expect(!run.output.contains("\"code\":\"" + "0"))
            }
            #expect(!FileManager.default.fileExists(atPath: file))
            let user = try machine.administer("user", "show", "alice", "--json").json()
            #expect((user["invitations"] as? [Any])?.isEmpty == true && user["backupCodes"] as? Int == 0)
        }

        @Test func `an invitation by a user is valid once, until its device is revoked or it is replaced`() throws {
            let machine = try Machine.enrolled()
            func code() throws -> String {
                let run = try machine.enroll("invite", "--ttl", "60", pin: "4962")
                #expect(run.status == 0, "\(run.all)")
                // Standard output contains only the code.
                #expect(run.output.count == 20, "\(run.all)")
                return run.output.trimmingCharacters(in: .newlines)
            }
            let first = try code()
            let next = try code()
            #expect(try machine.second(first, "a", pin: "7351").status == 77)
            #expect(try machine.second(next, "b", pin: "7351").status == 0)
            #expect(try machine.second(next, "c", pin: "7351").status == 77)
            let last = try code()
            #expect(try machine.administer("user", "revoke", "alice", "--device", "1").status == 0)
            #expect(try machine.second(last, "d", pin: "7351").status == 77)
            #expect(try machine.enroll("invite", "--ttl", "59", pin: "4962").status == 64)
        }

        @Test func `a backup code recovers without an administrator, once`() throws {
            let machine = try Machine.enrolled()
            let file = machine.directory + "/codes"
            let made = try machine.enroll("backup-codes", "--count", "3", "--codes-file", file, "--json", pin: "4962")
            #expect(try made.status == 0 && made.json()["backupCodes"] as? Int == 3, "\(made.all)")
            var status = stat()
            #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
            let codes = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
            #expect(codes.count == 3 && codes.allSatisfy { $0.count == 19 }, "\(codes)")
            #expect(try machine.enroll("status", "--json").json()["backupCodes"] as? Int == 3)
            // An existing file is not overwritten, and no codes are created.
            #expect(try machine.enroll("backup-codes", "--codes-file", file, pin: "4962").status == 65)

            try machine.block()
            #expect(try machine.enroll("test", pin: "4962").status == 82)
            let recovered = try machine.recover(code: codes[0].lowercased(), pin: "7351")
            #expect(recovered.status == 0, "\(recovered.all)")
            #expect(try machine.enroll("test", pin: "7351").status == 0)
            #expect(try machine.enroll("status", "--json").json()["backupCodes"] as? Int == 2)
            #expect(try machine.recover(code: codes[0], pin: "8264").status == 77)
            #expect(try machine.enroll("test", pin: "7351").status == 0)
            // Administrators see the number of codes, but no code.
            let shown = try machine.administer("user", "show", "alice")
            #expect(shown.output.contains("backup codes: 2"), "\(shown.all)")
            let log = try machine.administer("audit", "--user", "alice")
            #expect(log.output.contains("backup-codes") && !codes.contains { log.output.contains($0) }, "\(log.all)")
        }

        @Test func `backup codes undo no suspension and no revocation`() throws {
            let machine = try Machine()
            func codes() throws -> [String] {
                let run = try machine.enroll("backup-codes", "--count", "2", "--yes", pin: "4962")
                #expect(run.status == 0, "\(run.all)")
                return run.output.split(separator: "\n").map(String.init)
            }
            try machine.register()
            let first = try codes()
            #expect(try machine.administer("user", "revoke", "alice").status == 0)
            #expect(try machine.recover(code: first[0], pin: "7351").status == 77)
            #expect(try machine.administer("user", "restore", "alice").status == 0)
            // Old codes remain invalid, because a thief of the device may have them.
            #expect(try machine.recover(code: first[0], pin: "7351").status == 77)
            let second = try codes()
            #expect(try machine.administer("user", "revoke", "alice", "--device", "1").status == 0)
            #expect(try machine.recover(code: second[0], pin: "7351").status == 77)
            let user = try machine.administer("user", "show", "alice", "--json").json()
            #expect(user["backupCodes"] as? Int == 0)
        }

        @Test func `new backup codes become valid when they are written down, and the old ones are valid until then`()
            throws
        {
            let machine = try Machine.enrolled()
            let old = try machine.enroll("backup-codes", "--count", "1", "--yes", pin: "4962")
                .output.trimmingCharacters(in: .newlines)
            #expect(old.count == 19)
            func make(_ answer: String) throws -> (code: String, status: Int32?) {
                let terminal = try Terminal(Products.enroll, machine.call("backup-codes", "--count", "1"))
                terminal.answer("PIN for alice", "4962")
                terminal.answer("Did you write the codes down? [y/N] ", answer)
                let status = terminal.end()
                let lines = terminal.screen.components(separatedBy: .newlines)
                return (lines.first { $0.count == 19 && $0.contains("-") } ?? "", status)
            }
            let declined = try make("n")
            #expect(declined.status == 130 && declined.code.count == 19)
            #expect(try machine.recover(code: declined.code, pin: "7351").status == 77)
            let accepted = try make("y")
            #expect(accepted.status == 0)
            #expect(try machine.recover(code: old, pin: "7351").status == 77)
            #expect(try machine.recover(code: accepted.code, pin: "7351").status == 0)
        }

        @Test func `a user with the number rejects a session, and the waiting side is notified at once`() throws {
            let machine = try Machine.enrolled()
            let browser = try WaitingBrowser(at: machine)
            let other = try WaitingBrowser(at: machine)
            let run = try machine.enroll("deny", browser.number, "--json")
            #expect(run.status == 0, "\(run.all)")
            let state = try browser.poll()
            // Clients that do not know `denied` see that the session has expired.
            #expect(state["status"] as? String == "expired" && state["denied"] as? Bool == true)
            #expect(try other.poll()["status"] as? String == "new")
            let again = try machine.enroll("deny", browser.number, "--json")
            #expect(again.status == 65 && again.errorCode == "INCORRECT_ACCESS_NUMBER", "\(again.all)")
            let late = try machine.enroll("approve", browser.number, "--json", pin: "4962")
            #expect(late.status == 65, "\(late.all)")
            #expect(try machine.counted() == 0)
        }

        @Test func `logout ends the session last approved from here, or all sessions`() throws {
            let machine = try Machine.enrolled()
            var browsers: [WaitingBrowser] = []
            for _ in 0..<3 {
                let browser = try WaitingBrowser(at: machine)
                #expect(try browser.during { try machine.enroll("approve", browser.number, pin: "4962") }.status == 0)
                #expect(browser.identity() == "alice")
                browsers.append(browser)
            }
            #expect(try machine.enroll("logout", "--json", pin: "4962").json()["loggedOut"] as? Int == 1)
            #expect(browsers.map { $0.identity() } == ["alice", "alice", nil])
            #expect(try machine.enroll("logout", "--all", "--json", pin: "4962").json()["loggedOut"] as? Int == 2)
            #expect(browsers.allSatisfy { $0.identity() == nil })
            #expect(try machine.enroll("logout", "--all", "--json", pin: "4962").json()["loggedOut"] as? Int == 0)
        }

        @Test func `a missing feature of the server is reported before the PIN prompt`() throws {
            let old = try OldMachine()
            try old.register()
            for command in ["devices", "invite", "backup-codes", "logout"] {
                let run = try old.enroll(command, "--json")
                #expect(run.status == 76 && run.errorCode == "NOT_OFFERED", "\(command): \(run.all)")
            }
            let run = try old.enroll("deny", "--json", "1234567")
            #expect(run.status == 76 && run.errorCode == "NOT_OFFERED", "\(run.all)")
            #expect(try old.enroll("logout").errors.contains("mpin-enroll approve NUMBER --then-log-out"))
        }

        @Test func `no mail is sent again for an enrolled user`() throws {
            let machine = try Machine()
            #expect(try machine.enroll("resend", "--json").status == 67)
            try machine.register()
            #expect(try machine.enroll("resend", "--json").errorCode == "ENROLLED_ALREADY")
        }
    }
}

extension Machine {
    /// Enrolls another machine with the same identity, in a separate store.
    func second(_ code: String, _ device: String, pin: String) throws -> Run {
        try enroll(
            "register", "--code", code, "--device", device, pin: pin, store: "\(directory)/\(UUID().uuidString)")
    }

    /// The states of alice's devices by number, as one of them lists them.
    func ownDevices(pin: String = "4962") throws -> [Int: String] {
        let run = try enroll("devices", "list", "--json", pin: pin)
        try #require(run.status == 0, "\(run.all)")
        let devices = try #require(try run.json()["devices"] as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: devices.map { ($0["number"] as? Int ?? 0, $0["state"] as? String ?? "") })
    }

    func recover(code: String, pin: String) throws -> Run {
        try enroll("recover", "--code", code, "--new-pin-file", pinFile(pin))
    }
}
