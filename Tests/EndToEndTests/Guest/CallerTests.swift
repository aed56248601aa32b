// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Which program may use the PIN of an account, by who started it: the account's own user and root may, and no other
    /// user's set-uid program ever does.
    @Suite(.enabled(if: PrivateSystem.isPossible)) struct CallerTests {
        private static let stack = "auth sufficient MODULE\nauth required pam_unix.so"
        private static let prompt = "PIN for mpintest on"

        /// A user, by the numbers that every Debian has.
        enum User: String, Sendable, CaseIterable {
            case owner = "63999"
            case nobody = "65534"
            case daemon = "1"
            case root = "0"
        }

        struct Row: Sendable, CustomTestStringConvertible {
            let user: User
            let command: String
            let usesPIN: Bool
            var testDescription: String { "\(user): \(command)" }
        }

        private static let rows = [
            // One's own.
            Row(user: .owner, command: "sudo echo GOT IN", usesPIN: true),
            Row(user: .owner, command: "sudo -u daemon echo GOT IN", usesPIN: true),
            Row(user: .owner, command: "su mpintest -c 'echo GOT IN'", usesPIN: true),
            Row(user: .owner, command: "doas echo GOT IN", usesPIN: true),
            // Others', for this account and for root.
            Row(user: .nobody, command: "su mpintest -c 'echo GOT IN'", usesPIN: false),
            Row(user: .nobody, command: "su - mpintest -c 'echo GOT IN'", usesPIN: false),
            Row(user: .nobody, command: "sudo -u mpintest echo GOT IN", usesPIN: false),
            // The audit system's login uid, which a process without one may set, makes no process the owner.
            Row(
                user: .nobody, command: "id -u mpintest >/proc/self/loginuid; su mpintest -c 'echo GOT IN'",
                usesPIN: false),
            // Root, and programs of root's that ask a person at the machine.
            Row(user: .root, command: "su mpintest -c 'echo GOT IN'", usesPIN: true),
            Row(user: .root, command: "login mpintest", usesPIN: true),
        ]

        /// The rows whose program is installed here.
        private static let possible = rows.filter { row in
            let isPossible = !row.command.hasPrefix("doas") || access("/usr/bin/doas", X_OK) == 0
            if !isPossible { print("note: doas is missing, and the test that needs it is left out") }
            return isPossible
        }

        @Test(arguments: possible)
        func `a program uses the PIN of its own user alone`(row: Row) throws {
            let system = try PrivateSystem(stack: Self.stack)
            let terminal = try start(row, system)
            if row.usesPIN {
                terminal.answer(Self.prompt, "4962")
                // login has no command that would say it.
                let isLogin = row.command.hasPrefix("login")
                #expect(terminal.shows("GOT IN", seconds: isLogin ? 3 : 120) != isLogin, "\(terminal.screen)")
                #expect(!terminal.screen.contains("assword"), "\(terminal.screen)")
            } else {
                #expect(terminal.shows("assword"), "\(terminal.screen)")
                #expect(!terminal.screen.contains("PIN"), "\(terminal.screen)")
                terminal.type(PrivateSystem.password)
                #expect(terminal.end() == 0 && terminal.screen.contains("GOT IN"), "\(terminal.screen)")
            }
            terminal.signalAll(SIGKILL)
            #expect(try system.machine.counted() == 0)
        }

        private func start(_ row: Row, _ system: PrivateSystem) throws -> Terminal {
            // doas reads its rules where this machine has none.
            let own = "\(system.machine.directory)/all"
            let rules = "cp -a /etc \(own) && echo 'permit mpintest' >\(own)/doas.conf && mount --bind \(own) /etc && "
            let launcher =
                row.user == .root ? "" : "setpriv --reuid=\(row.user.rawValue) --regid=65534 --clear-groups "
            let command = launcher + "/bin/sh -c '" + row.command.replacing("'", with: "'\\''") + "'"
            return try system.root("/bin/sh", "-c", (row.command.hasPrefix("doas") ? rules : "") + "exec " + command)
        }

        /// rootpw and targetpw ask for the PIN of an account that is not the caller's.
        @Test(arguments: [false, true]) func `sudo with rootpw asks for the password`(enrollsRoot: Bool) throws {
            let system = try PrivateSystem(stack: Self.stack, enrollsRoot: enrollsRoot)
            let terminal = try system.root(
                "/bin/sh", "-c", "exec setpriv --reuid=1 --regid=1 --clear-groups sudo echo GOT IN")
            #expect(terminal.shows("assword for root"), "\(terminal.screen)")
            #expect(!terminal.screen.contains("PIN"), "\(terminal.screen)")
            terminal.signalAll(SIGKILL)
        }

        /// How long it takes a stranger's su to ask for the password of an account. It asks for no PIN.
        private static func ask(_ system: PrivateSystem, _ account: String, _ launcher: String) throws -> Duration {
            let began = ContinuousClock.now
            let terminal = try system.terminal(
                asStranger: true, "/bin/sh", "-c", "exec \(launcher) su \(account) -c 'echo GOT IN'")
            defer { terminal.signalAll(SIGKILL) }
            let asks = terminal.shows("assword")
            for text in ["PIN", "GOT IN", "System error"] {
                #expect(!terminal.screen.contains(text), "\(account): \(terminal.screen)")
            }
            // With too little of everything, su itself ends before it asks.
            if launcher.isEmpty || launcher.contains("=7") { #expect(asks, "\(account): \(terminal.screen)") }
            return asks ? ContinuousClock.now - began : .zero
        }

        /// Whatever is wrong here, another user learns nothing, waits for nothing, and the stack continues.
        @Test(
            arguments: [
                "", "prlimit --nofile=7", "prlimit --nofile=4", "prlimit --as=12000000", "prlimit --stack=24576",
            ])
        func `a refusal is the same under each shortage`(launcher: String) throws {
            let stack = "auth [success=done auth_err=ignore default=die] MODULE\nauth required pam_unix.so"
            let system = try PrivateSystem(stack: stack)
            let usual = try Self.ask(PrivateSystem(stack: "auth required pam_unix.so"), "games", "")
            for account in ["mpintest", "games"] {
                // A wait for something costs each attempt its time. A busy machine is slow only sometimes.
                var isPrompt = false
                for _ in 1...4 where !isPrompt {
                    let time = try Self.ask(system, account, launcher)
                    isPrompt = time < usual + .seconds(1.2)
                }
                #expect(isPrompt, "\(account)")
            }
            #expect(try system.machine.counted() == 0)
        }

        /// A service that has only the PIN, or needs it in addition to the password, is closed to other users.
        @Test(arguments: ["auth required MODULE", "auth required pam_unix.so\nauth required MODULE"])
        func `a stack that needs the PIN denies`(stack: String) throws {
            let system = try PrivateSystem(stack: stack)
            let terminal = try system.su()
            if terminal.first(of: "assword", "failure") == "assword" { terminal.type(PrivateSystem.password) }
            #expect(terminal.end() ?? 0 != 0)
            #expect(
                terminal.screen.contains("Authentication failure") && !terminal.screen.contains("GOT IN"),
                "\(terminal.screen)")
            #expect(try system.machine.counted() == 0)
        }

        /// su to an account without a registration asks for its password where that is configured.
        @Test func `su to an account without a PIN continues`() throws {
            let stack =
                "auth [success=done ignore=ignore default=die] MODULE ignore_unenrolled\nauth required pam_unix.so"
            let system = try PrivateSystem(stack: stack)
            let none = try system.terminal(asStranger: true, "/usr/bin/su", "games", "-c", "echo GOT IN")
            #expect(none.shows("assword") && !none.screen.contains("PIN"), "\(none.screen)")
            none.signalAll(SIGKILL)
            let enrolled = try system.su()
            #expect(enrolled.end() ?? 0 != 0 && !enrolled.screen.contains("assword:"), "\(enrolled.screen)")
        }

        /// A set-uid program of whatever name: the list of services decides nothing.
        @Test(arguments: ["gdm-password", "lightdm", "login", "mpin"])
        func `no name of a service opens the PIN to other users`(service: String) throws {
            let machine = try Machine()
            for (account, identity) in [("nobody", "bob"), ("daemon", "carol")] {
                try machine.register(identity: identity, account: account)
            }
            if service != "mpin" { try machine.service(service, machine.module()) }
            let host = try machine.setUserIDProbe()
            func codes(
                _ user: String, by launcher: [String], _ program: String, _ command: String = "try"
            ) throws -> [String] {
                try machine.probe(command, pins: ["4962"], service: service, user: user, program: program, by: launcher)
                    .lines
            }
            #expect(try codes("nobody", by: host.launcher, host.program) == ["PAM_SUCCESS"])
            #expect(try codes("daemon", by: host.launcher, host.program) == ["PAM_AUTH_ERR"])
            // The user who started it counts, whatever its real user is by then.
            #expect(try codes("daemon", by: host.launcher, host.program, "try,real-root") == ["PAM_AUTH_ERR"])
            #expect(try codes("nobody", by: host.launcher, host.program, "try,real-root") == ["PAM_SUCCESS"])
            // Root's own program is not refused.
            #expect(try codes("daemon", by: [], Probe.program) == ["PAM_SUCCESS"])
            #expect(try codes("daemon", by: [], host.program) == ["PAM_SUCCESS"])
        }
    }
}
