// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The real su and sudo, set-uid root, at a terminal.
    @Suite struct SystemLoginTests {
        private static let only = "auth required MODULE"
        private static let prompt = "PIN for mpintest on"

        @Test(.enabled(if: PrivateSystem.isPossible)) func `sudo accepts the PIN`()
            throws
        {
            let system = try PrivateSystem(stack: Self.only)
            let good = try system.sudo()
            #expect(good.shows(Self.prompt), "\(good.screen)")
            good.type("4962")
            #expect(good.end() == 0)
            #expect(good.screen.contains("GOT IN") && !good.screen.contains("4962"), "\(good.screen)")

            // One wrong answer, then the right one, in the same call.
            let second = try system.sudo()
            #expect(second.shows(Self.prompt))
            second.type("4963")
            #expect(second.shows(Self.prompt), "\(second.screen)")
            second.type("4962")
            #expect(second.end() == 0)
            #expect(second.screen.contains("GOT IN"), "\(second.screen)")
            #expect(try system.machine.counted() == 0)
        }

        @Test(.enabled(if: PrivateSystem.isPossible))
        func `a stuck key at sudo blocks no user`() throws {
            let system = try PrivateSystem(stack: Self.only)
            let sudo = try system.sudo()
            // sudo asks up to three times; the module stops sending while one try is left.
            for _ in 1...2 where sudo.shows(Self.prompt) { sudo.type("4963") }
            #expect(sudo.shows("one more wrong PIN could block the enrollment"), "\(sudo.screen)")
            sudo.type("4963")
            #expect(sudo.end() ?? 0 != 0)
            #expect(!sudo.screen.contains("GOT IN"), "\(sudo.screen)")
            #expect(try system.machine.counted() == 2)
            // The last try takes the PIN twice, and is a login like any other.
            let last = try system.sudo()
            #expect(last.shows("mpintest"))
            last.type("4962")
            #expect(last.shows("Retype"), "\(last.screen)")
            last.type("4962")
            #expect(last.end() == 0 && last.screen.contains("GOT IN"), "\(last.screen)")
            #expect(try system.machine.counted() == 0)
        }

        @Test(.enabled(if: PrivateSystem.isPossible), arguments: ["su", "sudo"])
        func `a canceled prompt grants nothing`(program: String) throws {
            let system = try PrivateSystem(stack: Self.only)
            for key in ["c", "d"] { try cancel(program, at: system, with: Character(key)) }
            #expect(try system.machine.counted() == 0)
        }

        private func cancel(_ program: String, at system: PrivateSystem, with key: Character) throws {
            let terminal = try program == "su" ? system.ownSu() : system.sudo()
            #expect(terminal.shows(Self.prompt), "\(terminal.screen)")
            terminal.control(key)
            // A program that asks again gets the same again.
            while terminal.shows(Self.prompt, seconds: 3) { terminal.control(key) }
            #expect(terminal.end() != 0)
            #expect(!terminal.screen.contains("GOT IN"), "\(terminal.screen)")
        }

        @Test(.enabled(if: PrivateSystem.isPossible))
        func `the password is still there below`() throws {
            let system = try PrivateSystem(stack: "auth sufficient MODULE\nauth required pam_unix.so")
            let good = try system.sudo()
            #expect(good.shows(Self.prompt))
            good.type("4962")
            #expect(good.end() == 0 && good.screen.contains("GOT IN"), "\(good.screen)")
            // An empty PIN leads to the password prompt, which does not accept the PIN.
            let empty = try system.sudo()
            #expect(empty.shows(Self.prompt))
            empty.type("")
            #expect(empty.shows("assword"), "\(empty.screen)")
            empty.type(PrivateSystem.password)
            #expect(empty.end() == 0 && empty.screen.contains("GOT IN"), "\(empty.screen)")
            #expect(try system.machine.counted() == 0)
            // The server is gone: the password again.
            system.machine.kill()
            let gone = try system.ownSu()
            #expect(gone.shows(Self.prompt))
            gone.type("4962")
            #expect(gone.shows("assword"), "\(gone.screen)")
            gone.type(PrivateSystem.password)
            #expect(gone.end() == 0 && gone.screen.contains("GOT IN"), "\(gone.screen)")
            let wrong = try system.ownSu()
            #expect(wrong.shows(Self.prompt))
            wrong.type("4962")
            #expect(wrong.shows("assword"), "\(wrong.screen)")
            wrong.type("4962")
            #expect(wrong.end() ?? 0 != 0 && !wrong.screen.contains("GOT IN"), "\(wrong.screen)")
        }
    }
}
