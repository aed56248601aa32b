import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Who may spend which try, with the programs that ask for it.
    @Suite struct AttemptTests {
        private static let only = "auth required MODULE"
        private static let withPassword =
            "auth [success=done default=ignore] MODULE tries=2\nauth required pam_unix.so"

        @Test(.enabled(if: PrivateSystem.isPossible && Products.sshd != nil), arguments: Products.modules)
        func `one connection over the network spares the last try`(module: String) throws {
            let sshd = try #require(Products.sshd)
            let system = try PrivateSystem(stack: Self.only + " method=pin", module: module)
            let remote = try RemoteLogin(system, sshd: sshd)
            let good = try remote.connect()
            #expect(good.shows("PIN for mpintest on"), "\(good.screen)")
            good.type("4962")
            #expect(good.shows("GOT IN"), "\(good.screen)")

            // sshd forks a process for each of the three prompts of one connection.
            let wrong = try remote.connect()
            for _ in 1...3 where wrong.shows("PIN for mpintest on") { wrong.type("4963") }
            #expect(wrong.end() ?? 0 != 0)
            #expect(try system.machine.counted() == 2)
            // The next connection is another one, and the owner at the machine was never kept out.
            let own = try system.sudo()
            #expect(own.shows("Last try"), "\(own.screen)")
            own.type("4962")
            #expect(own.shows("again"))
            own.type("4962")
            #expect(own.end() == 0 && own.screen.contains("GOT IN"), "\(own.screen)")
            #expect(try system.machine.counted() == 0)
        }

        @Test(.enabled(if: PrivateSystem.isPossible), arguments: Products.modules) func `sudo asks again and says why`(
            module: String
        ) throws {
            let system = try PrivateSystem(stack: Self.withPassword, module: module)
            let second = try system.sudo()
            #expect(second.shows("PIN for mpintest on"))
            second.type("4963")
            #expect(second.shows("Wrong PIN, 2 tries left. PIN, or Enter for the password: "), "\(second.screen)")
            second.type("4962")
            #expect(second.end() == 0 && second.screen.contains("GOT IN"), "\(second.screen)")

            let password = try system.sudo()
            #expect(password.shows("PIN for mpintest on"))
            password.type("not my PIN")
            #expect(password.shows("Your PIN has 4 digits. PIN, or Enter for the password: "), "\(password.screen)")
            password.type("")
            #expect(password.shows("assword"))
            password.type(PrivateSystem.password)
            #expect(password.end() == 0 && password.screen.contains("GOT IN"), "\(password.screen)")
            #expect(try system.machine.counted() == 0)
        }

        @Test(.enabled(if: PrivateSystem.isPossible), arguments: Products.modules)
        func `sudo says that the PIN is blocked`(
            module: String
        ) throws {
            let system = try PrivateSystem(stack: Self.withPassword, module: module, maximum: 1)
            let first = try system.sudo()
            #expect(first.shows("PIN for mpintest on"))
            first.type("4963")
            #expect(first.shows("Last try before the enrolment is blocked. The same PIN again: "), "\(first.screen)")
            first.type("4963")
            #expect(first.shows("PIN blocked: sudo mpin-enroll recover. Enter for the password: "), "\(first.screen)")
            first.type("")
            #expect(first.shows("assword"))
            first.type(PrivateSystem.password)
            #expect(first.end() == 0 && first.screen.contains("GOT IN"), "\(first.screen)")

            let next = try system.sudo()
            #expect(next.shows("PIN blocked: sudo mpin-enroll recover. Enter for the password: "), "\(next.screen)")
            next.type("4962")
            #expect(next.shows("assword"))
            next.type(PrivateSystem.password)
            #expect(next.end() == 0 && !next.screen.contains("PIN for"), "\(next.screen)")
        }

        @Test(.enabled(if: PrivateSystem.isPossible), arguments: Products.modules)
        func `without the servers socket no PIN is asked for`(module: String) throws {
            let system = try PrivateSystem(stack: Self.withPassword, module: module)
            system.machine.kill()
            unlink(system.machine.socket)
            let sudo = try system.sudo()
            #expect(sudo.shows("The M-Pin server cannot be reached from here."), "\(sudo.screen)")
            sudo.type("")
            #expect(sudo.shows("assword"))
            sudo.type(PrivateSystem.password)
            #expect(sudo.end() == 0 && !sudo.screen.contains("PIN for"), "\(sudo.screen)")
            let su = try system.su()
            #expect(su.shows("assword"), "\(su.screen)")
            #expect(!su.screen.contains("PIN"))
            su.type(PrivateSystem.password)
            #expect(su.end() == 0 && su.screen.contains("GOT IN"), "\(su.screen)")
        }

        /// A stranger's su that is stopped in the middle of a login holds nothing that the owner needs.
        @Test(.enabled(if: PrivateSystem.isPossible), arguments: Products.modules)
        func `a stopped program holds nobody up`(
            module: String
        ) throws {
            let system = try PrivateSystem(stack: Self.only, module: module)
            for _ in 1...2 {
                let su = try system.su()
                #expect(su.shows("PIN for mpintest on"))
                system.machine.pause()
                su.type("4963")
                usleep(300_000)
                #expect(su.signalAll(SIGSTOP) > 0)
                system.machine.resume()
                let began = ContinuousClock.now
                let own = try system.sudo()
                #expect(own.shows("mpintest on"))
                own.type("4962")
                if own.shows("again", seconds: 1) { own.type("4962") }
                #expect(own.end() == 0 && own.screen.contains("GOT IN"), "\(own.screen)")
                #expect(ContinuousClock.now - began < .seconds(4))
                su.signalAll(SIGKILL)
            }
        }

        /// A process without a login uid may set any; that does not make its user the owner.
        @Test(.enabled(if: PrivateSystem.isPossible), arguments: Products.modules)
        func `a forged login UID tells nothing`(
            module: String
        ) throws {
            let system = try PrivateSystem(stack: Self.only, module: module)
            let forge = "id -u mpintest >/proc/self/loginuid; exec su mpintest -c 'echo GOT IN'"
            for _ in 1...3 {
                let su = try system.terminal(asStranger: true, "/bin/sh", "-c", forge)
                #expect(su.shows("PIN for mpintest on"), "\(su.screen)")
                su.type("4963")
                #expect(su.end() ?? 0 != 0)
                #expect(!su.screen.contains("tries") && !su.screen.contains("Last"), "\(su.screen)")
            }
            #expect(try system.machine.counted() == 2)
        }

        /// su run by another user takes no lock and writes nothing, so that stopping it does not delay other logins.
        @Test(.enabled(if: PrivateSystem.isPossible), arguments: Products.modules)
        func `a strangers login writes nothing`(
            module: String
        ) throws {
            let system = try PrivateSystem(stack: Self.only, module: module)
            let files = ["cache", "users"].map { system.machine.store + "/\($0)/\(PrivateSystem.account).json" }
            let before = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
            let su = try system.su()
            #expect(su.shows("PIN for mpintest on"))
            su.type("4963")
            #expect(su.end() ?? 0 != 0)
            #expect(try system.machine.counted() == 1)
            #expect(try files.map { try String(contentsOfFile: $0, encoding: .utf8) } == before)
            let notes = system.machine.store + "/attempts/\(PrivateSystem.account)"
            #expect(
                try !FileManager.default.fileExists(atPath: notes)
                    || FileManager.default.contentsOfDirectory(atPath: notes) == [])
            let own = try system.sudo()
            #expect(own.shows("PIN for mpintest on"), "\(own.screen)")
            own.type("4962")
            #expect(own.end() == 0 && own.screen.contains("GOT IN"), "\(own.screen)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: notes) == [])
        }

        /// Set-uid programs of other users do not block the account, in parallel or one after the other.
        @Test(.enabled(if: PrivateSystem.isPossible), arguments: Products.modules)
        func `strangers together spare the last try`(module: String) throws {
            let system = try PrivateSystem(stack: Self.only, module: module)
            // All ask before any of them answers.
            let all = try (1...5).map { _ in try system.su() }
            for su in all { #expect(su.shows("PIN for mpintest on"), "\(su.screen)") }
            for su in all { su.type("4963") }
            for su in all { #expect(su.end() ?? 0 != 0) }
            #expect(try (1...2).contains(system.machine.counted()))
            // And again, one by one.
            for _ in 1...3 {
                let su = try system.su()
                #expect(su.shows("PIN for mpintest on"))
                su.type("4963")
                #expect(su.end() ?? 0 != 0)
            }
            #expect(try system.machine.counted() == 2)
            // The owner learns it from the server, which keeps the last try until they have said that they know.
            let own = try system.sudo()
            #expect(own.shows("PIN for mpintest on"), "\(own.screen)")
            own.type("4962")
            #expect(own.shows("Last try before the enrolment is blocked. The same PIN again: "), "\(own.screen)")
            own.type("4962")
            #expect(own.end() == 0 && own.screen.contains("GOT IN"), "\(own.screen)")
        }

        /// However few tries a server allows, set-uid programs of other users leave one.
        @Test(.enabled(if: PrivateSystem.isPossible), arguments: Products.modules)
        func `strangers spare the last try of few`(
            module: String
        ) throws {
            for maximum in [1, 2] {
                let system = try PrivateSystem(stack: Self.only, module: module, maximum: maximum)
                for _ in 1...3 {
                    let su = try system.su()
                    #expect(su.shows("PIN for mpintest on"), "\(su.screen)")
                    su.type("4963")
                    #expect(su.end() ?? 0 != 0)
                }
                #expect(try system.machine.counted() == maximum - 1)
            }
        }

        /// What a stranger has begun before the owner mistypes does not become the try that blocks.
        @Test(.enabled(if: PrivateSystem.isPossible), arguments: Products.modules)
        func `a stopped attempt is not the last one`(
            module: String
        ) throws {
            let system = try PrivateSystem(stack: Self.only, module: module)
            let su = try system.su()
            #expect(su.shows("PIN for mpintest on"))
            system.machine.pause()
            su.type("4963")
            usleep(300_000)
            #expect(su.signalAll(SIGSTOP) > 0)
            system.machine.resume()
            // The one request was on its way, and is judged.
            for _ in 1...50 where try system.machine.counted() == 0 { usleep(100_000) }
            let own = try system.sudo()
            #expect(own.shows("PIN for mpintest on"), "\(own.screen)")
            own.type("4963")
            // sudo asks thrice, and once is enough here.
            #expect(own.shows("try again"), "\(own.screen)")
            own.signalAll(SIGKILL)
            #expect(try system.machine.counted() == 2)
            su.signalAll(SIGCONT)
            #expect(su.end() ?? 0 != 0)
            #expect(try system.machine.counted() == 2)
        }

        /// Programs of other users that are killed during a login use up all tries but the last, as they may; the owner logs
        /// in all the same, and everybody after that.
        @Test(.enabled(if: PrivateSystem.isPossible), arguments: Products.modules)
        func `killed programs keep nobody out`(
            module: String
        ) throws {
            let system = try PrivateSystem(stack: Self.only, module: module)
            for _ in 1...3 {
                let su = try system.su()
                #expect(su.shows("PIN for mpintest on"))
                system.machine.pause()
                su.type("4963")
                usleep(300_000)
                #expect(su.signalAll(SIGKILL) > 0)
                system.machine.resume()
            }
            for _ in 1...50 where try system.machine.counted() < 2 { usleep(100_000) }
            #expect(try system.machine.counted() == 2)
            let own = try system.sudo()
            #expect(own.shows("PIN for mpintest on"), "\(own.screen)")
            own.type("4962")
            // The server has kept the last try, which this machine did not know of.
            #expect(own.shows("The same PIN again"), "\(own.screen)")
            own.type("4962")
            #expect(own.end() == 0, "\(own.screen)")
            let other = try system.su()
            #expect(other.shows("PIN for mpintest on"))
            other.type("4962")
            #expect(other.end() == 0 && other.screen.contains("GOT IN"), "\(other.screen)")
        }

        /// Where nothing can be noted on this machine, the server still keeps the last try for an owner who knows of it.
        @Test(.enabled(if: PrivateSystem.isPossible), arguments: Products.modules)
        func `the owner is warned without notes`(
            module: String
        ) throws {
            let system = try PrivateSystem(stack: Self.only, module: module)
            let notes = system.machine.store + "/attempts"
            for _ in 1...2 {
                let su = try system.su()
                #expect(su.shows("PIN for mpintest on"))
                su.type("4963")
                #expect(su.end() ?? 0 != 0)
            }
            try? FileManager.default.removeItem(atPath: notes)
            // Nothing can be made below a file.
            #expect(FileManager.default.createFile(atPath: notes, contents: nil))
            let own = try system.sudo()
            #expect(own.shows("PIN for mpintest on"), "\(own.screen)")
            own.type("4963")
            #expect(own.shows("Last try before the enrolment is blocked. The same PIN again: "), "\(own.screen)")
            own.signalAll(SIGKILL)
            #expect(try system.machine.counted() == 2)
        }
    }
}
