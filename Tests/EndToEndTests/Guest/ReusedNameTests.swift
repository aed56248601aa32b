// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// A deleted account, and a new one with its name and another user ID.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct ReusedNameTests {
        private static let row = "\(SpareMachine.account):x:63999:65534::/nonexistent:/bin/sh\n"
        private static let warning = "belongs to a deleted account with the same name and another user ID."

        private func machine(_ options: String = "") throws -> SpareMachine {
            let spare = try SpareMachine(sudo: "auth required pam_mpin.so \(options)\naccount required pam_permit.so\n")
            #expect(try spare.logIn(typing: "4962"))
            let accounts = try spare.read("/etc/passwd")
            try #require(accounts.contains(Self.row))
            try spare.put(
                accounts.replacing(Self.row, with: Self.row.replacing("63999", with: "63998")), at: "/etc/passwd")
            return spare
        }

        @Test func `the former PIN does not open the new account`() throws {
            let spare = try machine()
            #expect(try !spare.logIn(typing: "4962"))
            let status = try spare.enroll("status", "--user", SpareMachine.account)
            #expect(status.output.contains("is not enrolled. The token here \(Self.warning)"), "\(status.all)")
            let test = try spare.test("4962")
            #expect(test.status == 67, "\(test.all)")
            #expect(try spare.enroll("doctor").output.contains(Self.warning))
            #expect(try spare.enroll("list").all.contains(Self.warning))
            #expect(try spare.machine.counted() == 0)
        }

        @Test func `it counts as an account without a token`() throws {
            let spare = try machine("ignore_unenrolled")
            #expect(try spare.run(["/usr/bin/pamtester", "sudo", SpareMachine.account, "authenticate"]).status != 0)
            let run = try spare.run(
                ["/usr/bin/pamtester", "sudo", SpareMachine.account, "authenticate"], typing: "4962\n")
            #expect(!run.all.contains("PIN for"), "\(run.all)")
        }

        @Test func `the new account enrolls without discarding anything`() throws {
            let spare = try machine()
            let run = try spare.register(pin: "7385")
            #expect(run.status == 0, "\(run.all)")
            #expect(try spare.logIn(typing: "7385"))
            #expect(try !spare.logIn(typing: "4962"))
            #expect(try !spare.enroll("doctor").output.contains(Self.warning))
        }

        /// userdel calls this script with the name of the deleted account.
        @Test func `the script of userdel deletes the token`() throws {
            let store = FileManager.default.temporaryDirectory.path + "/mpin-userdel-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: store) }
            for area in ["users", "staging", "cache", "attempts/eve"] {
                try FileManager.default.createDirectory(atPath: store + "/" + area, withIntermediateDirectories: true)
            }
            let names = [
                "users/eve.json", "users/eve.json.bad.2", "users/eve.lock", "cache/eve.json", "attempts/eve/1",
            ]
            let others = ["users/eve2.json", "users/ev.json", "users/xeve.json", "users/eve.json.bad.json"]
            for name in names + others { try Data().write(to: URL(fileURLWithPath: store + "/" + name)) }
            func call(_ action: String, _ subject: String) throws -> Run {
                try Run(
                    Launcher.covering([("/var/lib/mpin", store)])
                        + ["/bin/sh", Products.repository.path + "/packaging/mpin-enroll/userdel"],
                    environment: ["ACTION": action, "SUBJECT": subject])
            }
            for (action, subject) in [
                ("userdel", ".."), ("userdel", "a/../eve"), ("userdel", ""), ("userdel", "eve.json"),
                ("groupdel", "eve"),
            ] {
                _ = try call(action, subject)
                for name in names + others {
                    #expect(access(store + "/" + name, F_OK) == 0, "\(action) \(subject): \(name)")
                }
            }
            let run = try call("userdel", "eve")
            #expect(run.status == 0, "\(run.all)")
            for name in names { #expect(access(store + "/" + name, F_OK) != 0, "\(name)") }
            for name in others { #expect(access(store + "/" + name, F_OK) == 0, "\(name)") }
        }
    }
}
