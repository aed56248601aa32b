// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// The tries of an account, with the programs that ask for its PIN.
    @Suite struct AttemptTests {
        private static let only = "auth required MODULE"
        private static let withPassword =
            "auth [success=done default=ignore] MODULE tries=2\nauth required pam_unix.so"

        @Test(.enabled(if: PrivateSystem.isPossible && Products.sshd != nil))
        func `one connection over the network spares the last try`() throws {
            let sshd = try #require(Products.sshd)
            let system = try PrivateSystem(stack: Self.only)
            let remote = try RemoteLogin(system, sshd: sshd)
            let good = try remote.connect()
            #expect(good.shows("PIN for mpintest on"), "\(good.screen)")
            good.type("4962")
            #expect(good.shows("GOT IN"), "\(good.screen)")

            // sshd forks a process for each of the three prompts of one connection.
            let wrong = try remote.connect()
            for _ in 1...3 where wrong.shows("PIN for mpintest on") { wrong.type("4963") }
            #expect(wrong.end() ?? 0 != 0)
            let counted = try system.machine.counted()
            #expect(counted == 2, "\(wrong.screen)")
            // The next connection is another one, and the owner at the machine was never kept out.
            let own = try system.sudo()
            #expect(own.shows("A wrong PIN may block the enrollment"), "\(own.screen)")
            own.type("4962")
            #expect(own.shows("Retype"))
            own.type("4962")
            #expect(own.end() == 0 && own.screen.contains("GOT IN"), "\(own.screen)")
            #expect(try system.machine.counted() == 0)
        }

        @Test(.enabled(if: PrivateSystem.isPossible)) func `sudo asks again and says why`() throws {
            let system = try PrivateSystem(stack: Self.withPassword)
            let second = try system.sudo()
            #expect(second.shows("PIN for mpintest on"))
            second.type("4963")
            #expect(
                second.shows("Wrong PIN, 2 tries left.") && second.shows("(2 tries left): "), "\(second.screen)")
            second.type("4962")
            #expect(second.end() == 0 && second.screen.contains("GOT IN"), "\(second.screen)")

            let password = try system.sudo()
            #expect(password.shows("PIN for mpintest on"))
            password.type("not my PIN")
            #expect(password.shows("Your PIN has 4 digits. Nothing was sent."), "\(password.screen)")
            password.type("")
            #expect(password.shows("assword"))
            password.type(PrivateSystem.password)
            #expect(password.end() == 0 && password.screen.contains("GOT IN"), "\(password.screen)")
            #expect(try system.machine.counted() == 0)
        }

        @Test(.enabled(if: PrivateSystem.isPossible))
        func `sudo says that the PIN is blocked`() throws {
            let system = try PrivateSystem(stack: Self.withPassword, maximum: 1)
            let first = try system.sudo()
            #expect(first.shows("PIN for mpintest on"))
            #expect(first.screen.contains("A wrong PIN may block the enrollment. PIN for"), "\(first.screen)")
            first.type("4963")
            #expect(first.shows("Retype the PIN: "), "\(first.screen)")
            first.type("4963")
            #expect(first.shows("That was the last try, and this enrollment is now blocked."), "\(first.screen)")
            #expect(first.shows("assword"))
            first.type(PrivateSystem.password)
            #expect(first.end() == 0 && first.screen.contains("GOT IN"), "\(first.screen)")

            let next = try system.sudo()
            #expect(next.shows("This enrollment is blocked after too many wrong PINs."), "\(next.screen)")
            #expect(next.shows("assword"))
            next.type(PrivateSystem.password)
            #expect(next.end() == 0 && !next.screen.contains("PIN for"), "\(next.screen)")
        }

        @Test(.enabled(if: PrivateSystem.isPossible))
        func `without the servers socket no PIN is asked for`() throws {
            let system = try PrivateSystem(stack: Self.withPassword)
            system.machine.kill()
            unlink(system.machine.socket)
            let sudo = try system.sudo()
            #expect(sudo.shows("The M-Pin server cannot be reached from here."), "\(sudo.screen)")
            #expect(sudo.shows("assword"))
            sudo.type(PrivateSystem.password)
            #expect(sudo.end() == 0 && !sudo.screen.contains("PIN for"), "\(sudo.screen)")
        }

        /// A login that is stopped in the middle keeps nothing that the next one needs.
        @Test(.enabled(if: PrivateSystem.isPossible))
        func `a stopped program delays no login`() throws {
            let system = try PrivateSystem(stack: Self.only)
            for _ in 1...2 {
                let stopped = try system.ownSu()
                #expect(stopped.shows("mpintest on"))
                system.machine.pause()
                stopped.type("4962")
                usleep(300_000)
                #expect(stopped.signalAll(SIGSTOP) > 0)
                system.machine.resume()
                let began = ContinuousClock.now
                let own = try system.sudo()
                #expect(own.shows("mpintest on"))
                own.type("4962")
                if own.shows("Retype", seconds: 1) { own.type("4962") }
                #expect(own.end() == 0 && own.screen.contains("GOT IN"), "\(own.screen)")
                #expect(ContinuousClock.now - began < .seconds(4))
                stopped.signalAll(SIGKILL)
            }
        }

        /// Logins that are killed after the PIN was sent may have counted: the next one is confirmed, and clears them.
        @Test(.enabled(if: PrivateSystem.isPossible))
        func `killed programs keep no user out`() throws {
            let system = try PrivateSystem(stack: Self.only)
            for _ in 1...2 {
                let killed = try system.ownSu()
                #expect(killed.shows("PIN for mpintest on"), "\(killed.screen)")
                system.machine.pause()
                killed.type("4963")
                usleep(300_000)
                #expect(killed.signalAll(SIGKILL) > 0)
                system.machine.resume()
            }
            for _ in 1...50 where try system.machine.counted() < 2 { usleep(100_000) }
            #expect(try system.machine.counted() == 2)
            let own = try system.sudo()
            #expect(own.shows("A wrong PIN may block the enrollment. PIN for mpintest on"), "\(own.screen)")
            own.type("4962")
            #expect(own.shows("Retype the PIN"), "\(own.screen)")
            own.type("4962")
            #expect(own.end() == 0, "\(own.screen)")
            #expect(try system.machine.counted() == 0)
        }

        /// After a right PIN the module shows how many tries the limit of the last days leaves, to warn the owner.
        @Test(.enabled(if: PrivateSystem.isPossible))
        func `the last try of the longer limit is confirmed too`() throws {
            let system = try PrivateSystem(stack: Self.only)
            try system.machine.write("max_recent_wrong_attempts = 2\n", to: "/server/server.conf")
            try system.machine.restart()
            let first = try system.sudo()
            #expect(first.shows("PIN for mpintest on"))
            first.type("4963")
            #expect(first.shows("try again"), "\(first.screen)")
            first.signalAll(SIGKILL)
            for _ in 1...2 {
                let own = try system.sudo()
                #expect(own.shows("A wrong PIN may block the enrollment. PIN for mpintest on"), "\(own.screen)")
                own.type("4962")
                #expect(own.shows("Retype the PIN: "), "\(own.screen)")
                own.type("4962")
                #expect(own.end() == 0 && own.screen.contains("GOT IN"), "\(own.screen)")
            }
            let differs = try system.sudo()
            #expect(differs.shows("A wrong PIN may block the enrollment"), "\(differs.screen)")
            differs.type("4962")
            #expect(differs.shows("Retype the PIN: "), "\(differs.screen)")
            differs.type("4963")
            #expect(
                differs.shows("The two PINs differ. Neither was sent, and no try was used."), "\(differs.screen)")
            differs.signalAll(SIGKILL)
            #expect(try system.machine.counted() == 0)
        }
    }
}
