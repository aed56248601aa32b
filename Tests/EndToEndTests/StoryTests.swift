// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The life of one enrollment, from invitation to removal, with the real programs.
    @Suite struct StoryTests {
        @Test func `invitation, enrollment, login, block and recovery`() throws {
            let machine = try Machine.enrolled()
            #expect(try machine.pam("authenticate", typing: ["4962"]).output.contains(PAMText.success))

            let wrong = try machine.pam("authenticate", typing: ["4963"])
            #expect(wrong.status != 0)
            #expect((wrong.output + wrong.errors).contains("2 tries left"))
            let second = try machine.enroll("test", "--json", pin: "4963")
            #expect(second.status == 81)
            #expect(second.errorCode == "INCORRECT_PIN")
            #expect(try (second.json()["error"] as? [String: Any])?["attemptsLeft"] as? Int == 1)
            let third = try machine.enroll("test", "--json", pin: "4963")
            #expect(third.status == 82)

            // The right PIN is refused, and the state is checked before the PIN prompt.
            #expect((try machine.pam("authenticate", typing: ["4962"])).all.contains(PAMText.maxTries))
            #expect(try machine.enroll("test").status == 82)
            #expect(try machine.enroll("status", "--json").json()["state"] as? String == "BLOCKED")
            #expect(try machine.enroll("status", "--check").status == 82)

            let recovered = try machine.enroll("recover", "--json", "--code", machine.invitation(), pin: "7385")
            #expect(recovered.status == 0)
            #expect(try recovered.json()["oldRevoked"] as? Bool == true)
            #expect(try machine.pam("authenticate", typing: ["7385"]).output.contains(PAMText.success))
            #expect(try machine.pam("authenticate", typing: ["4962"]).status != 0)

            let removed = try machine.enroll("remove", "--yes", "--json", pin: "7385")
            #expect(try removed.json()["revoked"] as? Bool == true)
            #expect(!FileManager.default.fileExists(atPath: machine.record))
            #expect(try machine.enroll("test", pin: "7385").status == 67)
            #expect((try machine.pam("authenticate")).all.contains(PAMText.unknownUser))
        }

        @Test func `every step survives a killed server`() throws {
            let machine = try Machine()
            let code = try machine.invitation()
            try machine.restart()
            try machine.write(code + "\n", to: "/code")
            let file = machine.directory + "/code"
            #expect(try machine.enroll("register", "--code-file", file, pin: "4962").status == 0)
            try machine.restart()
            #expect(try machine.enroll("test", pin: "4963").status == 81)
            try machine.restart()
            #expect(try machine.enroll("test", pin: "4963").status == 81)
            try machine.restart()
            #expect(try machine.enroll("test", pin: "4963").status == 82)
            try machine.restart()
            #expect(try machine.enroll("recover", "--code", code, pin: "7385").status == 77, "a code is valid once")
            #expect(try machine.enroll("recover", "--code", machine.invitation(), pin: "7385").status == 0)
            try machine.restart()
            #expect(try machine.pam("authenticate", typing: ["7385"]).status == 0)
            machine.kill()
            let gone = try machine.pam("authenticate", typing: ["7385"])
            #expect(gone.all.contains(PAMText.unavailable))
            #expect(gone.all.contains("was not checked"))
            #expect(try machine.enroll("test", pin: "7385").status == 69)
        }

        @Test func `the only registration does not have to be named`() throws {
            let machine = try Machine.enrolled()
            let run = try Run(
                Products.enroll, ["test", "--store", machine.store, "--no-input", "--pin-file", "-"], input: "4962")
            #expect(run.status == 0, "\(run.errors)")
        }

        @Test func `changes the PIN`() throws {
            let machine = try Machine.enrolled()
            try machine.write("4962", to: "/old")
            try machine.write("804713", to: "/new")
            try machine.write("1234", to: "/weak")
            let old = machine.directory + "/old", new = machine.directory + "/new", weak = machine.directory + "/weak"
            #expect(try machine.enroll("change-pin", "--pin-file", old, "--new-pin-file", weak).status == 65)
            #expect(try machine.enroll("change-pin", "--pin-file", new, "--new-pin-file", new).status == 81)
            #expect(try machine.enroll("change-pin", "--pin-file", old, "--new-pin-file", new).status == 0)
            #expect(try machine.enroll("test", pin: "804713").status == 0)
            #expect(try machine.enroll("test", pin: "4962").status == 81)
            let same = try machine.enroll("change-pin", "--pin-file", new, "--new-pin-file", new)
            #expect(same.status == 65 && same.errors.contains("The new PIN is the current PIN."), "\(same.all)")
        }

        @Test func `refuses invalid requests before anything is used up`() throws {
            let machine = try Machine()
            #expect(try machine.enroll("test", pin: "4962").status == 67)
            #expect(try machine.enroll("recover", "--code", "X", pin: "7385").status == 67)
            let code = try machine.invitation()
            for weak in ["0000", "1234", "12", "1111", "abcd", ""] {
                #expect(try machine.enroll("register", "--code", code, pin: weak).status == 65)
            }
            let wrongPerson = try machine.enroll("register", "--code", code, pin: "4962", identity: "bob")
            #expect(wrongPerson.status == 77)
            #expect(try machine.enroll("register", "--code", code, pin: "4962").status == 0)
        }

        @Test func `an interrupted enrollment continues with the same code`() throws {
            let machine = try Machine()
            let code = try machine.invitation()
            // Without a PIN, nothing is sent, and the code remains valid.
            #expect(try machine.enroll("register", "--code", code).status == 66)
            #expect(try machine.enroll("status", "--json").json()["state"] as? String == "INVALID")
            try machine.quitAtPIN("register", "--code", code)
            #expect(try machine.enroll("status", "--json").json()["state"] as? String == "ACTIVATED")
            #expect(try machine.enroll("test", pin: "4962").status == 80)
            // Not even the old content is left.
            try FileManager.default.removeItem(atPath: machine.store)
            #expect(try machine.enroll("register", "--code", code, pin: "4962", identity: "bob").status == 77)
            #expect(try machine.enroll("register", "--code", code, pin: "4962").status == 0)
            let user = try machine.administer("user", "show", "alice", "--json").json()
            #expect((user["devices"] as? [Any])?.count == 1, "\(user)")
            // From now on it is used up.
            try FileManager.default.removeItem(atPath: machine.store)
            #expect(try machine.enroll("register", "--code", code, pin: "4962").status == 77)
        }
    }
}
