// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Set-uid programs that the account's own user stops, starves and delays, under a stack that needs no server.
    @Suite(.enabled(if: PrivateSystem.isPossible)) struct SetUIDHostTests {
        private static let open = """
            auth [success=ok authinfo_unavail=ignore default=die] MODULE timeout=2
            auth required pam_permit.so
            """
        private static let su = ["/usr/bin/su", PrivateSystem.account, "-c", "echo GOT IN"]

        /// An attacker without the PIN at su or sudo, possibly before the prompt.
        private func tryToEnter(_ terminal: Terminal) -> String {
            if terminal.shows("PIN for") { terminal.type("4963") }
            _ = terminal.end()
            return terminal.screen
        }

        @Test(
            arguments: ["--as=20000000", "--as=24000000", "--as=30000000", "--nofile=5", "--nofile=8", "--nofile=10"])
        func `a limit opens nothing`(limit: String) throws {
            let system = try PrivateSystem(stack: Self.open)
            let screen = tryToEnter(
                try system.terminal(
                    "/usr/bin/prlimit", limit, Self.su[0], Self.su[1], Self.su[2], Self.su[3]))
            #expect(!screen.contains("GOT IN"), "\(screen)")
        }

        @Test func `stopping ones own program opens nothing`() throws {
            // Long enough for a busy machine to stop the program before it gives up.
            let system = try PrivateSystem(stack: Self.open.replacing("timeout=2", with: "timeout=8"))
            let terminal = try system.ownSu()
            #expect(terminal.shows("PIN for"))
            system.machine.pause()
            terminal.type("4963")
            system.machine.waitForRequest()
            #expect(terminal.signalAll(SIGSTOP) > 0)
            system.machine.resume()
            sleep(9)
            terminal.signalAll(SIGCONT)
            #expect(terminal.end() ?? 0 != 0)
            #expect(!terminal.screen.contains("GOT IN"), "\(terminal.screen)")
        }

        @Test func `a second program opens nothing`() throws {
            let system = try PrivateSystem(stack: Self.open)
            system.machine.pause()
            let terminals = try (0..<2).map { _ in try system.ownSu() }
            for terminal in terminals { #expect(terminal.shows("PIN for")) }
            for terminal in terminals { terminal.type("4963") }
            for terminal in terminals {
                #expect(terminal.end() ?? 0 != 0)
                #expect(!terminal.screen.contains("GOT IN"), "\(terminal.screen)")
            }
            system.machine.resume()
        }

        /// sudo makes its real user root before it asks, and is its caller's all the same.
        @Test(arguments: ["su", "sudo"])
        func `a server that is away opens nothing`(program: String) throws {
            let system = try PrivateSystem(stack: Self.open)
            system.machine.kill()
            let terminal = try program == "su" ? system.ownSu() : system.sudo()
            #expect(terminal.shows("PIN for"))
            // sudo asks again.
            repeat { terminal.type("4962") } while terminal.shows(": ")
            #expect(terminal.end() ?? 0 != 0)
            #expect(!terminal.screen.contains("GOT IN"), "\(terminal.screen)")
        }

        @Test(arguments: ["su", "sudo"])
        func `the administrator can choose the open stack`(program: String) throws {
            let stack = Self.open.replacingOccurrences(of: "timeout=2", with: "unavailable_in_setuid=report")
            let system = try PrivateSystem(stack: stack)
            system.machine.kill()
            let terminal = try program == "su" ? system.ownSu() : system.sudo()
            terminal.answer("PIN for", "4962")
            if terminal.first(of: "Enter to use the password", "GOT IN") != "GOT IN" { terminal.type("") }
            #expect(terminal.end() == 0)
            #expect(terminal.screen.contains("GOT IN"), "\(terminal.screen)")
        }

        @Test func `a limit of file sizes kills no host`() throws {
            // su keeps a file of failures itself, and would be killed by that.
            let failures = "/var/log/btmp"
            let system = try PrivateSystem(stack: "auth required MODULE") { _ in
                access(failures, F_OK) == 0 ? [(failures, "/dev/null")] : []
            }
            for (pin, end) in [
                ("4963", "Authentication failure"), ("4962", "GOT IN"), ("4963", "Authentication failure"),
            ] {
                let terminal = try system.terminal(
                    "/usr/bin/prlimit", "--fsize=0", Self.su[0], Self.su[1], Self.su[2], Self.su[3])
                terminal.answer("PIN for", pin)
                #expect(terminal.shows(end), "\(pin): \(terminal.screen)")
                _ = terminal.end()
            }
        }
    }
}
