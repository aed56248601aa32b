// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Unreadable records are kept, and do not affect other records.
    @Suite struct DamagedRecordTests {
        private func overwrite(_ path: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            try #require(chmod(path, 0o600) == 0)
        }

        @Test func `a truncated file is set aside`() throws {
            let machine = try Machine.enrolled()
            var kept: [String] = []
            for suffix in ["", ".1", ".2"] {
                let half = String(try String(contentsOfFile: machine.record, encoding: .utf8).dropLast(40))
                try overwrite(machine.record, half)
                let test = try machine.enroll("test", pin: "4962")
                #expect(test.status == 74, "\(test.all)")
                #expect(test.errors.contains("\(machine.record) is damaged"), "\(test.errors)")
                #expect(test.errors.contains("mpin-enroll register"), "\(test.errors)")
                let register = try machine.enroll("register", "--code", machine.invitation(), pin: "4962")
                #expect(register.status == 0, "\(register.all)")
                #expect(register.errors.contains("\(machine.record).bad\(suffix)."), "\(register.errors)")
                kept.append(half)
                for (number, text) in kept.enumerated() {
                    let path = machine.record + ".bad" + (number == 0 ? "" : ".\(number)")
                    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
                    var status = stat()
                    #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
                }
                #expect(try machine.enroll("test", pin: "4962").status == 0)
            }
        }

        @Test func `one bad record leaves the others valid`() throws {
            let machine = try Machine.enrolled()
            let bob = try machine.enroll(
                "register", "--code", machine.invitation(for: "bob"), pin: "7385", identity: "bob")
            try #require(bob.status == 0)
            let text = try String(contentsOfFile: machine.record, encoding: .utf8)
            try overwrite(machine.record, text.replacingOccurrences(of: #""identity":"alice""#, with: #""identity":7"#))
            #expect(try machine.enroll("test", pin: "7385", identity: "bob").status == 0)
            let alice = try machine.enroll("test", pin: "4962")
            #expect(alice.status == 74 && alice.errors.contains(machine.record), "\(alice.all)")

            let register = try machine.enroll("register", "--code", machine.invitation(), pin: "4962")
            #expect(register.status == 0, "\(register.all)")
            #expect(register.errors.contains(machine.record + ".bad"), "\(register.errors)")
            #expect(try machine.enroll("test", pin: "7385", identity: "bob").status == 0)
            #expect(try machine.enroll("test", pin: "4962").status == 0)
        }

        /// A change that leaves a record well-formed: one digit of a random value.
        private func changeDigit(of member: String, in machine: Machine) throws {
            var text = Array(try String(contentsOfFile: machine.record, encoding: .utf8).utf8)
            let mark = Array("\"\(member)\":\"".utf8)
            let start = try #require(
                text.indices.first { text[$0...].starts(with: mark) }.map { $0 + mark.count + 20 })
            text[start] = text[start] == UInt8(ascii: "3") ? UInt8(ascii: "4") : UInt8(ascii: "3")
            try overwrite(machine.record, String(decoding: text, as: UTF8.self))
        }

        @Test(arguments: ["token", "mpinId"]) func `a changed digit counts as damage`(member: String) throws {
            let machine = try Machine.enrolled()
            try changeDigit(of: member, in: machine)
            for command in ["test", "status"] {
                let run = try machine.enroll(command, pin: command == "test" ? "4962" : nil)
                #expect(run.status == 74, "\(run.all)")
                #expect(run.errors.contains("A record in \(machine.record) is damaged"), "\(run.errors)")
                #expect(run.errors.contains("mpin-enroll register"), "\(run.errors)")
            }
            let list = try machine.enroll("list")
            #expect(list.output.contains("A record in \(machine.record) is damaged"), "\(list.all)")
            #expect(!list.output.contains("No account is enrolled"), "\(list.all)")
            #expect(list.status == 74)
            #expect(try machine.counted() == 0)
            let register = try machine.enroll("register", "--code", machine.invitation(), pin: "4962")
            #expect(register.status == 0, "\(register.all)")
            #expect(register.errors.contains(machine.record + ".bad"), "\(register.errors)")
            #expect(try machine.enroll("test", pin: "4962").status == 0)
        }

        @Test func `records of other versions are refused by name, and enrolling again helps`() throws {
            let machine = try Machine.enrolled()
            let text = try String(contentsOfFile: machine.record, encoding: .utf8)
            for version in [1, 2, 3, 5] {
                let other = text.replacing("\"version\":4", with: "\"version\":\(version)")
                try #require(other != text)
                try overwrite(machine.record, other)
                let test = try machine.enroll("test", pin: "4962")
                #expect(test.status == 74 && test.errors.contains("another version of pam-mpin"), "\(test.all)")
                #expect(test.errors.contains("mpin-enroll register"), "\(test.all)")
                let login = try machine.pam("authenticate", typing: ["4962"])
                #expect(!login.all.contains(PAMText.success), "\(login.all)")
                #expect(try String(contentsOfFile: machine.record, encoding: .utf8) == other)
            }
            let register = try machine.enroll("register", "--code", machine.invitation(), pin: "7385")
            #expect(register.status == 0, "\(register.all)")
            #expect(try machine.enroll("test", pin: "7385").status == 0)
        }

        @Test func `a damaged permit share makes no login fail`() throws {
            let machine = try Machine.enrolled(hasKey: false)
            let path = machine.store + "/cache/\(machine.account).json"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let share = try #require(text.range(of: "\"share\":\"04")).upperBound
            var damaged = text
            damaged.replaceSubrange(share..<text.index(share, offsetBy: 4), with: "1234")
            try overwrite(path, damaged)
            #expect(try machine.enroll("test", pin: "4962").status == 0)
        }

        @Test func `a file that was set aside does not make an account count as not enrolled`() throws {
            let machine = try Machine()
            let stack = "auth required \(machine.module("ignore_unenrolled"))\nauth required pam_permit.so\n"
            try overwrite(machine.directory + "/pam.d/skips", stack)
            // Only an existing store without records proves that an account is not enrolled.
            try machine.register()
            try #require(try machine.enroll("remove", "--yes", "--local-only").status == 0)
            #expect(try machine.pam("authenticate", service: "skips").output.contains(PAMText.success))
            try machine.register()
            try overwrite(machine.record, "{")
            // The file is set aside, and then no registration starts.
            #expect(try machine.enroll("register", "--code", "AAAA-BBBB-CCCC-DDDD", pin: "4962").status == 77)
            let aside = machine.record + ".bad"
            try #require(FileManager.default.fileExists(atPath: aside))
            try #require(!FileManager.default.fileExists(atPath: machine.record))
            let login = try machine.pam("authenticate", service: "skips", typing: ["4962"])
            #expect(login.status != 0 && !login.output.contains(PAMText.success), "\(login.all)")
            for command in ["status", "test"] {
                let run = try machine.enroll(command, pin: command == "test" ? "4962" : nil)
                #expect(run.status == 74 && run.errors.contains("is kept in \(aside)"), "\(run.all)")
                #expect(run.errors.contains("rm \(aside)") && run.errors.contains("mpin-enroll register"))
            }
            let list = try machine.enroll("list")
            #expect(list.output.contains("is kept in \(aside)"), "\(list.all)")
            let object = try machine.enroll("list", "--json").json()
            #expect((object["damaged"] as? [[String: Any]])?.count == 1)
            // The last remaining file has the same effect as the first.
            try #require(rename(aside, aside + ".3") == 0)
            #expect(try machine.pam("authenticate", service: "skips", typing: ["4962"]).status != 0)
            try FileManager.default.removeItem(atPath: aside + ".3")
            #expect(try machine.pam("authenticate", service: "skips").output.contains(PAMText.success))
        }

        @Test func `a damaged record of a started recovery is set aside too`() throws {
            let machine = try Machine.enrolled()
            try machine.block()
            try machine.quitAtPIN("recover", "--code", machine.invitation())
            let staged = machine.store + "/staging/\(machine.account).json"
            try overwrite(staged, "{")
            let run = try machine.enroll("recover", "--code", machine.invitation(), pin: "7385")
            #expect(run.status == 0, "\(run.all)")
            #expect(run.errors.contains(staged + ".bad"), "\(run.errors)")
        }

        @Test func `a call without a command continues from a damaged file`() throws {
            let machine = try Machine.enrolled()
            try overwrite(machine.record, "")
            let terminal = try Terminal(Products.enroll, Array(machine.call("").dropFirst()))
            #expect(terminal.shows(machine.record + ".bad"), "\(terminal.screen)")
            terminal.interrupt(at: "Invitation or backup code")
        }

        @Test func `a file that others can change is named with the mode to set`() throws {
            let machine = try Machine.enrolled()
            for (path, open, closed) in [
                (machine.record, 0o644, 0o600), (machine.store, 0o755, 0o700), (machine.store + "/users", 0o750, 0o700),
            ] as [(String, mode_t, mode_t)] {
                try #require(chmod(path, open) == 0)
                let run = try machine.enroll("test", pin: "4962")
                #expect(run.status == 74, "\(run.all)")
                #expect(run.errors.contains("\(path) can be read or changed by other users."), "\(run.errors)")
                let remedy = "chmod 0" + String(closed, radix: 8) + " \(path)"
                #expect(run.errors.contains(remedy), "\(run.errors)")
                let words = remedy.split(separator: " ").map(String.init)
                #expect(try Run("/bin/chmod", Array(words.dropFirst())).status == 0)
                #expect(try machine.enroll("test", pin: "4962").status == 0)
            }
            let configuration = machine.directory + "/mpin.conf"
            try #require(chmod(configuration, 0o666) == 0)
            let run = try machine.enroll("status")
            #expect(run.status == 78 && run.errors.contains("\(configuration) is open to other users"), "\(run.all)")
            #expect(
                run.errors.contains("Use a file that you or root owns") && !run.errors.contains("chmod"),
                "\(run.errors)")
        }

        /// A store without its directory of records proves nothing, unless it is empty.
        @Test func `no account is passed over without the records`() throws {
            let machine = try Machine.enrolled()
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
