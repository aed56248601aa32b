// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The real su and sudo, set-uid root, at a terminal.
    @Suite(.enabled(if: PrivateSystem.isPossible)) struct SystemLoginTests {
        private static let only = "auth required MODULE"
        private static let prompt = "PIN for mpintest on"

        @Test func `a stuck key at sudo blocks no user`() throws {
            let system = try PrivateSystem(stack: Self.only)
            let sudo = try system.sudo()
            // sudo asks up to three times; the module stops sending while one try is left.
            for _ in 1...2 where sudo.shows(Self.prompt) { sudo.type("4963") }
            sudo.answer("one more wrong PIN could block the enrollment", "4963")
            #expect(sudo.end() ?? 0 != 0)
            #expect(!sudo.screen.contains("GOT IN"), "\(sudo.screen)")
            #expect(try system.machine.counted() == 2)
            // The last try takes the PIN twice, and is a login like any other.
            let last = try system.sudo()
            last.answer("mpintest", "4962")
            last.answer("Retype", "4962")
            #expect(last.end() == 0 && last.screen.contains("GOT IN"), "\(last.screen)")
            #expect(try system.machine.counted() == 0)
        }

        @Test(arguments: ["su", "sudo"])
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
            while terminal.shows(Self.prompt) { terminal.control(key) }
            #expect(terminal.end() != 0)
            #expect(!terminal.screen.contains("GOT IN"), "\(terminal.screen)")
        }

        @Test func `the password is still there below`() throws {
            let system = try PrivateSystem(stack: "auth sufficient MODULE\nauth required pam_unix.so")
            let good = try system.sudo()
            good.answer(Self.prompt, "4962")
            #expect(good.end() == 0)
            #expect(good.screen.contains("GOT IN") && !good.screen.contains("4962"), "\(good.screen)")
            #expect(try system.machine.counted() == 0)
            // The server is gone: the password again.
            system.machine.kill()
            let gone = try system.ownSu()
            gone.answer(Self.prompt, "4962")
            gone.answer("assword", PrivateSystem.password)
            #expect(gone.end() == 0 && gone.screen.contains("GOT IN"), "\(gone.screen)")
            let wrong = try system.ownSu()
            wrong.answer(Self.prompt, "4962")
            wrong.answer("assword", "4962")
            #expect(wrong.end() ?? 0 != 0 && !wrong.screen.contains("GOT IN"), "\(wrong.screen)")
        }
    }
}
