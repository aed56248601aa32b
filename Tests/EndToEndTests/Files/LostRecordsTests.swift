// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// A store without its directory of records proves nothing, unless it is empty.
    @Suite struct LostRecordsTests {
        @Test func `no account is passed over`() throws {
            let machine = try Machine()
            try machine.register()
            try machine.service("mpin", machine.module("ignore_unenrolled"))
            let unenrolled = try machine.probe("try", pins: ["4962"], user: "nobody")
            #expect(unenrolled.lines.count == 1 && unenrolled.lines != ["PAM_SYSTEM_ERR"], "\(unenrolled.all)")

            let users = machine.store + "/users", away = machine.directory + "/users"
            try #require(rename(users, away) == 0)
            for user in [machine.account, "nobody"] {
                let lost = try machine.probe("try", pins: ["4962"], user: user)
                #expect(lost.lines == ["PAM_SYSTEM_ERR"], "\(user): \(lost.all)")
            }
            for command in ["status", "list", "test"] {
                let run = try machine.enroll(command)
                #expect(run.status == 74, "\(command): \(run.all)")
                #expect(
                    run.errors.contains("\(users) is missing, but \(machine.store) has other files"), "\(run.errors)")
            }

            // As the package creates it, with the files that a new file system has.
            let kept = machine.directory + "/kept"
            try #require(rename(machine.store, kept) == 0)
            try #require(mkdir(machine.store, 0o700) == 0)
            let fresh = try machine.probe("try", pins: ["4962"])
            #expect(fresh.lines == unenrolled.lines, "\(fresh.all)")
            try #require(mkdir(machine.store + "/lost+found", 0o700) == 0)
            #expect(try machine.probe("try", pins: ["4962"]).lines == unenrolled.lines)
            #expect(try machine.enroll("status", "--check").status == 67)
            let list = try machine.enroll("list")
            #expect(
                list.status == 0 && list.output.hasPrefix("\(machine.account) is not enrolled here.\n"), "\(list.all)")

            // After everything is restored.
            try #require(rmdir(machine.store + "/lost+found") == 0 && rmdir(machine.store) == 0)
            try #require(rename(kept, machine.store) == 0 && rename(away, users) == 0)
            #expect(try machine.probe("try", pins: ["4962"]).lines == ["PAM_SUCCESS"])
        }
    }
}
