// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Wrong PINs since the last login are reported at the next login.
    @Suite struct WrongPINTests {
        @Test func `the module reports wrong PINs and mpin-enroll remembers them`() throws {
            let machine = try Machine.enrolled(maximum: 10)
            let quiet = try machine.pam("authenticate", typing: ["4962"])
            #expect(quiet.status == 0 && !quiet.all.contains("since your last login"), "\(quiet.all)")
            for count in 1...2 {
                for _ in 1...count { #expect(try machine.pam("authenticate", typing: ["4963"]).status != 0) }
                let pins = count == 1 ? "1 wrong PIN" : "\(count) wrong PINs"
                let login = try machine.pam("authenticate", typing: ["4962"])
                #expect(login.status == 0 && login.all.contains("\(pins) since your last login."), "\(login.all)")
                // It is kept, for hosts that show no messages.
                #expect(try number(machine.enroll("status", "--json")) == count)
                let status = try machine.enroll("status")
                #expect(
                    status.output.contains(
                        "wrong     \(pins) before the last login on this machine\n"), "\(status.all)")
            }
            let next = try machine.pam("authenticate", typing: ["4962"])
            #expect(next.status == 0 && !next.all.contains("since your last login"), "\(next.all)")
            #expect(try number(machine.enroll("status", "--json")) == 0)
        }

        @Test func `mpin-enroll reports wrong PINs at a login`() throws {
            let machine = try Machine.enrolled(maximum: 10)
            func mistype() throws { #expect(try machine.enroll("test", pin: "4963").status == 81) }
            try mistype()
            let test = try machine.enroll("test", pin: "4962")
            #expect(test.output.contains("1 wrong PIN since your last login."), "\(test.all)")
            try mistype()
            try mistype()
            #expect(try number(machine.enroll("test", "--json", pin: "4962")) == 2)
            #expect(try number(machine.enroll("test", "--json", pin: "4962")) == 0)
            try mistype()
            let otp = try machine.enroll("otp", pin: "4962")
            #expect(otp.lines.count == 1 && otp.errors.contains("1 wrong PIN since your last login."), "\(otp.all)")
            // A PIN change logs in more than once, and reports the wrong PINs before the first login.
            try mistype()
            let change = try machine.enroll(
                "change-pin", "--pin-file", machine.pinFile("4962"), "--new-pin-file", machine.pinFile("7385"))
            #expect(change.status == 0, "\(change.all)")
            #expect(change.output.contains("1 wrong PIN since your last login."), "\(change.all)")
        }

        private func number(_ run: Run) throws -> Int? { try run.json()["wrongSinceLastLogin"] as? Int }

        /// sshd sends what a module says as a banner, which a client at LogLevel=ERROR does not show, and above the shell.
        @Test(.enabled(if: PrivateSystem.isPossible && Products.sshd != nil), arguments: [("ERROR", 1), ("INFO", 2)])
        func `the module says once what sshd shows twice`(level: String, count: Int) throws {
            let system = try PrivateSystem(stack: "auth required MODULE")
            let sshd = try #require(Products.sshd)
            let call = system.machine.call("test").map { $0 == system.machine.account ? PrivateSystem.account : $0 }
            let words = call + ["--no-input", "--pin-file", try system.machine.pinFile("4963")]
            let wrong = try system.run("/bin/sh", "-c", ([Products.enroll] + words).joined(separator: " "))
            try #require(wrong.status == 81, "\(wrong.all)")
            let terminal = try RemoteLogin(system, sshd: sshd).connect(logLevel: level, command: "")
            terminal.answer("PIN for", "4962")
            terminal.answer("$ ", "exit")
            _ = terminal.end()
            let told = terminal.screen.components(separatedBy: "1 wrong PIN since your last login.").count - 1
            #expect(told == count, "\(terminal.screen)")
        }
    }
}
