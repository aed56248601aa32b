// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// A password that is typed where the PIN is asked for, in stacks where either is enough.
    @Suite(.enabled(if: PrivateSystem.isPossible)) struct PasswordAtPromptTests {
        private static let instead =
            "auth [success=done default=ignore] MODULE forward_pass tries=2\nauth required pam_unix.so"
        private static let withLock =
            "auth requisite pam_faillock.so preauth\n" + instead + "\nauth sufficient pam_faillock.so authsucc"

        @Test(arguments: [instead, withLock]) func `sudo takes either at one prompt`(stack: String) throws {
            let system = try PrivateSystem(stack: stack)
            for answer in ["4962", PrivateSystem.password] {
                let sudo = try system.sudo()
                sudo.answer("PIN or password for mpintest on", answer)
                #expect(sudo.end() == 0 && sudo.screen.contains("GOT IN"), "\(sudo.screen)")
                #expect(!sudo.screen.lowercased().contains("password for mpintest: "), "\(sudo.screen)")
            }
            #expect(try system.machine.counted() == 0)
        }

        /// As scripts and Ansible call sudo.
        @Test func `sudo -S reads the password as the first line`() throws {
            let system = try PrivateSystem(stack: Self.instead)
            for options in [["-S"], ["-S", "-p", "[sudo via ansible, key=x] password:"]] {
                let sudo = Launcher.user(63_999) + ["/usr/bin/sudo"] + options + ["/bin/echo", "GOT", "IN"]
                let run = try system.run(sudo, typing: [PrivateSystem.password])
                #expect(run.status == 0 && run.output.contains("GOT IN"), "\(run.all)")
                #expect(options.count == 1 || run.errors.contains("[sudo via ansible, key=x] password:"), "\(run.all)")
            }
            #expect(try system.machine.counted() == 0)
        }

        @Test func `a wrong password opens nothing and costs no try`() throws {
            let system = try PrivateSystem(stack: Self.instead)
            let sudo = try system.sudo()
            sudo.answer("PIN or password for", "wrong-Horse-7")
            #expect(sudo.shows("try again"), "\(sudo.screen)")
            sudo.signalAll(SIGKILL)
            #expect(!sudo.screen.contains("GOT IN"))
            #expect(try system.machine.counted() == 0)
        }

        /// Digits that no PIN has are sent to no server, and given to no other module.
        @Test(arguments: ["123", "1234567"]) func `other digits lead to the password`(answer: String) throws {
            let system = try PrivateSystem(stack: Self.instead)
            let sudo = try system.sudo()
            sudo.answer("PIN or password for", answer)
            sudo.answer("assword for mpintest: ", PrivateSystem.password)
            #expect(sudo.end() == 0 && sudo.screen.contains("GOT IN"), "\(sudo.screen)")
            #expect(try system.machine.counted() == 0)
        }

        /// The prompt does not reveal how many digits a PIN has.
        @Test func `six digits are a PIN, even if the PIN has four`() throws {
            let system = try PrivateSystem(stack: Self.instead)
            let sudo = try system.sudo()
            sudo.answer("PIN or password for", "123456")
            #expect(sudo.shows("Wrong PIN, 2 tries left."), "\(sudo.screen)")
            sudo.signalAll(SIGKILL)
            #expect(try system.machine.counted() == 1)
        }

        /// 0482 and 000482 are the same number.
        @Test func `a PIN with leading zeros has all its digits`() throws {
            let system = try PrivateSystem(stack: Self.instead)
            let machine = system.machine
            let changed = try system.run(
                [Products.enroll] + machine.call("change-pin", account: PrivateSystem.account) + [
                    "--no-input", "--pin-file", machine.pinFile("4962"), "--new-pin-file", machine.pinFile("004827"),
                ])
            try #require(changed.status == 0, "\(changed.all)")
            for answer in ["4827", "04827"] {
                let sudo = try system.sudo()
                sudo.answer("PIN or password for", answer)
                #expect(sudo.shows("Wrong PIN"), "\(sudo.screen)")
                sudo.signalAll(SIGKILL)
                let right = try system.sudo()
                right.answer("PIN or password for", "004827")
                #expect(right.end() == 0 && right.screen.contains("GOT IN"), "\(right.screen)")
            }
        }

        @Test func `the last try and a wrong PIN are named before the password`() throws {
            let system = try PrivateSystem(stack: Self.instead)
            let sudo = try system.sudo()
            for _ in 1...2 {
                sudo.answer("PIN or password for", "4963")
            }
            #expect(sudo.shows("Wrong PIN, 1 try left."), "\(sudo.screen)")
            sudo.answer("assword for mpintest: ", PrivateSystem.password)
            #expect(sudo.end() == 0 && sudo.screen.contains("GOT IN"), "\(sudo.screen)")
            let last = try system.sudo()
            last.answer("Last try. PIN or password for", PrivateSystem.password)
            #expect(last.end() == 0 && last.screen.contains("GOT IN"), "\(last.screen)")
        }
    }
}
