// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The tries of an account, with the programs that ask for its PIN.
    @Suite(.enabled(if: PrivateSystem.isPossible)) struct AttemptTests {
        private static let only = "auth required MODULE"
        private static let withPassword =
            "auth [success=done default=ignore] MODULE tries=2\nauth required pam_unix.so"

        @Test(.enabled(if: Products.sshd != nil))
        func `one connection over the network spares the last try`() throws {
            let sshd = try #require(Products.sshd)
            let system = try PrivateSystem(stack: Self.only)
            let remote = try RemoteLogin(system, sshd: sshd)
            let good = try remote.connect()
            good.answer("PIN for mpintest on", "4962")
            #expect(good.shows("GOT IN"), "\(good.screen)")

            // sshd forks a process for each of the three prompts of one connection.
            let wrong = try remote.connect()
            for _ in 1...3 where wrong.shows("PIN for mpintest on") { wrong.type("4963") }
            #expect(wrong.end() ?? 0 != 0)
            let counted = try system.machine.counted()
            #expect(counted == 2, "\(wrong.screen)")
            // The next connection is another one, and the owner at the machine was never kept out.
            let own = try system.sudo()
            own.answer("Last try. PIN for", "4962")
            own.answer("Retype", "4962")
            #expect(own.end() == 0 && own.screen.contains("GOT IN"), "\(own.screen)")
            #expect(try system.machine.counted() == 0)
        }

        @Test func `sudo asks again and says why`() throws {
            let system = try PrivateSystem(stack: Self.withPassword)
            let second = try system.sudo()
            second.answer("PIN for mpintest on", "4963")
            #expect(
                second.shows("Wrong PIN, 2 tries left.") && second.shows("(2 tries left): "), "\(second.screen)")
            second.type("4962")
            #expect(second.end() == 0 && second.screen.contains("GOT IN"), "\(second.screen)")

            let password = try system.sudo()
            password.answer("PIN for mpintest on", "not my PIN")
            password.answer("This cannot be your PIN. Nothing was sent.", "")
            password.answer("assword", PrivateSystem.password)
            #expect(password.end() == 0 && password.screen.contains("GOT IN"), "\(password.screen)")
            #expect(try system.machine.counted() == 0)
        }

        @Test func `sudo says that the PIN is blocked`() throws {
            let system = try PrivateSystem(stack: Self.withPassword, maximum: 1)
            let first = try system.sudo()
            #expect(first.shows("PIN for mpintest on"))
            #expect(first.screen.contains("Last try. PIN for"), "\(first.screen)")
            first.type("4963")
            first.answer("Retype the PIN: ", "4963")
            #expect(first.shows("That was the last try, and this enrollment is now blocked."), "\(first.screen)")
            first.answer("assword", PrivateSystem.password)
            #expect(first.end() == 0 && first.screen.contains("GOT IN"), "\(first.screen)")

            let next = try system.sudo()
            #expect(next.shows("This enrollment is blocked."), "\(next.screen)")
            next.answer("assword", PrivateSystem.password)
            #expect(next.end() == 0 && !next.screen.contains("PIN for"), "\(next.screen)")
        }

        @Test func `without the servers socket no PIN is asked for`() throws {
            let system = try PrivateSystem(stack: Self.withPassword)
            system.machine.kill()
            unlink(system.machine.socket)
            let sudo = try system.sudo()
            #expect(sudo.shows("The M-Pin server cannot be reached from here; no PIN was asked for."), "\(sudo.screen)")
            sudo.answer("assword", PrivateSystem.password)
            #expect(sudo.end() == 0 && !sudo.screen.contains("PIN for"), "\(sudo.screen)")
        }

        /// A login that is stopped in the middle keeps nothing that the next one needs.
        @Test func `a stopped program delays no login`() throws {
            let system = try PrivateSystem(stack: Self.only + " timeout=60")
            func logIn() throws -> Duration {
                let began = ContinuousClock.now
                let own = try system.sudo()
                own.answer("mpintest on", "4962")
                if own.first(of: "Retype", "GOT IN") == "Retype" { own.type("4962") }
                #expect(own.end() == 0 && own.screen.contains("GOT IN"), "\(own.screen)")
                return ContinuousClock.now - began
            }
            let usual = try logIn()
            for _ in 1...2 {
                let stopped = try system.ownSu()
                #expect(stopped.shows("mpintest on"))
                system.machine.pause()
                stopped.type("4962")
                system.machine.waitForRequest()
                #expect(stopped.signalAll(SIGSTOP) > 0)
                system.machine.resume()
                #expect(try logIn() < usual * 2 + .seconds(3))
                stopped.signalAll(SIGKILL)
            }
        }

        /// Logins that are killed after the PIN was sent may have counted: the next one is confirmed, and clears them.
        @Test func `killed programs keep no user out`() throws {
            let system = try PrivateSystem(stack: Self.only + " timeout=60")
            for _ in 1...2 {
                let killed = try system.ownSu()
                #expect(killed.shows("PIN for mpintest on"), "\(killed.screen)")
                system.machine.pause()
                killed.type("4963")
                system.machine.waitForRequest()
                #expect(killed.signalAll(SIGKILL) > 0)
                system.machine.resume()
            }
            #expect(try becomes { try system.machine.counted() == 2 })
            let own = try system.sudo()
            own.answer("Last try. PIN for mpintest on", "4962")
            own.answer("Retype the PIN", "4962")
            #expect(own.end() == 0, "\(own.screen)")
            #expect(try system.machine.counted() == 0)
        }

        /// After a right PIN the module shows how many tries the limit of the last days leaves, to warn the owner.
        @Test func `the last try of the longer limit is confirmed too`() throws {
            let system = try PrivateSystem(stack: Self.only)
            try system.machine.write("max_recent_wrong_attempts = 2\n", to: "/server/server.conf")
            try system.machine.restart()
            let first = try system.sudo()
            first.answer("PIN for mpintest on", "4963")
            #expect(first.shows("try again"), "\(first.screen)")
            first.signalAll(SIGKILL)
            for _ in 1...2 {
                let own = try system.sudo()
                own.answer("Last try. PIN for mpintest on", "4962")
                own.answer("Retype the PIN: ", "4962")
                #expect(own.end() == 0 && own.screen.contains("GOT IN"), "\(own.screen)")
            }
            let differs = try system.sudo()
            differs.answer("Last try. PIN for", "4962")
            differs.answer("Retype the PIN: ", "4963")
            #expect(
                differs.shows("The two PINs differ. Neither was sent, and no try was used."), "\(differs.screen)")
            differs.signalAll(SIGKILL)
            #expect(try system.machine.counted() == 0)
        }
    }
}
