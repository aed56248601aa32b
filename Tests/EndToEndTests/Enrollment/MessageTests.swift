// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Messages whose hints work, and whose output is harmless.
    @Suite struct MessageTests {
        @Test func `control characters in arguments are not printed`() throws {
            for (program, arguments) in [
                (Products.enroll, ["resend", "\u{1B}[2J1"]), (Products.enroll, ["--\u{1B}[2Jx"]),
                (Products.enroll, ["pam", "show", "sudo", "\u{1B}]0;x\u{7}"]),
                (Products.server, ["user", "show", "alice", "--limit\u{1B}[2J"]),
            ] {
                let run = try Run(program, arguments)
                #expect(run.status == 64 && !run.errors.isEmpty, "\(run.all)")
                #expect(run.all.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A }, "\(arguments): \(run.all)")
            }
        }

        @Test func `a wrong value of an option is reported once`() throws {
            let run = try Run(Products.enroll, ["status", "--timeout", "0"])
            #expect(run.status == 64 && run.errors.hasSuffix("seconds.\n"), "\(run.all)")
            let object = try Run(Products.enroll, ["status", "--timeout", "0", "--json"])
            #expect(object.output.split(separator: "\n").count == 1 && object.errorCode == "USAGE", "\(object.all)")
        }

        @Test func `the agent's own flag is unknown on the command line`() throws {
            let run = try Run(Products.enroll, ["status", "--served"])
            #expect(run.status == 64 && run.errors.contains("Unknown option '--served'"), "\(run.all)")
        }

        @Test(.enabled(if: PrivateSystem.isPossible))
        func `an identity that is too long for a message is named as the problem`() throws {
            let system = try AgentMachine()
            let identity = String(repeating: "a", count: 3_000)
            for command in [["status"], ["test"], ["otp"], ["approve", "1234567"]] {
                let run = try system.enroll(as: AgentMachine.daemon, command + ["--identity", identity])
                #expect(run.status == 65 && run.errors.contains("--identity is too long"), "\(run.all)")
            }
        }

        @Test(.enabled(if: geteuid() == 0)) func `an empty account name is refused`() throws {
            for more in [[], ["--json"]] {
                let run = try Run(Products.server, ["setup", ""] + more)
                #expect(run.status == 64 && run.all.contains("is empty"), "\(run.all)")
            }
        }

        @Test(.enabled(if: geteuid() == 0))
        func `an account that is not enrolled and an empty store have different messages`() throws {
            let machine = try Machine.enrolled()
            let options = ["--store", machine.store, "--config", machine.directory + "/mpin.conf"]
            let all = "mpin-enroll list --store \(machine.store) --config \(machine.directory)/mpin.conf\n"
            let list = try Run(Products.enroll, ["list", "--user", "daemon"] + options)
            #expect(list.status == 0 && list.output.hasPrefix("daemon is not enrolled here.\n"), "\(list.all)")
            #expect(list.output.hasSuffix(": " + all), "\(list.all)")
            let other = try Run(Products.enroll, ["list", "--user", machine.account, "--identity", "bob"] + options)
            #expect(other.output.hasPrefix("\(machine.account) is not enrolled as bob.\n"), "\(other.all)")
            let remove = try Run(Products.enroll, ["remove", "--user", "daemon", "--yes"] + options)
            #expect(remove.status == 67 && remove.errors.hasSuffix("here: " + all), "\(remove.all)")
            #expect(try Run(Products.enroll, ["list"] + options).output.contains("\talice\tREGISTERED\t"))
        }

        @Test func `for a server that does not answer, the hint is a command`() throws {
            let machine = try Machine.enrolled()
            machine.kill()
            let local = try machine.enroll("test", pin: "4962")
            let start =
                "server runs: systemctl status mpin-server\nIf it does not run, start it: "
                + "sudo systemctl start mpin-server\n"
            let isBooted = FileManager.default.fileExists(atPath: "/run/systemd/system")
            let look = isBooted ? start : "listens there: sudo ss -xlp src \(machine.socket)\n"
            #expect(local.errors.contains(look), "\(local.all)")
            if !isBooted, isRoot {
                let run = try Run(
                    Launcher.namespace("mount -t tmpfs none /run && mkdir -p /run/systemd/system") + [Products.enroll]
                        + machine.call("test", "--pin-file", machine.pinFile("4962")))
                #expect(run.errors.contains(start), "\(run.all)")
            }
            #expect(local.errors.contains("mpin-enroll status "), "\(local.all)")
            let far = try machine.enroll("register", "--code", "AAAA-BBBB-CCCC-DDDD", pin: "4962", identity: "bob")
            #expect(far.status == 69 && far.errors.contains("mpin-enroll status "), "\(far.all)")
            // For the server of another machine, the hint does not mention systemctl.
            let other = try Run(
                Products.enroll,
                [
                    "register", "--store", machine.store, "--server", "https://127.0.0.1:1", "--config",
                    machine.directory + "/mpin.conf", "--no-input", "--pin-file", "-",
                ], input: "4962")
            #expect(other.status == 69 && !other.errors.contains("systemctl"), "\(other.all)")
            #expect(other.errors.contains("ask the server's administrator"), "\(other.errors)")
        }

        @Test func `the report of an enrollment names the account once and orders the next steps`() throws {
            let machine = try Machine()
            let other = try machine.enroll("register", "--code", machine.invitation(), pin: "4962")
            #expect(
                other.output.contains("\(machine.account) (alice) is enrolled at unix:\(machine.socket), and has"),
                "\(other.all)")
            let lines = other.output.split(separator: "\n")
            let none =
                "No service asks for the PIN yet. Preview the change for sudo: sudo mpin-enroll pam enable sudo"
            let key = "The server's key, proven by the code of the enrollment: \(try machine.fingerprint().prefix(17))"
            #expect(lines.count == 4 && lines.dropFirst().dropLast() == [key[...], none[...]], "\(other.all)")
            #expect(lines.last?.contains("mpin-enroll test --") == true, "\(other.all)")
            // Commands find the only registration by themselves.
            #expect(lines.last?.contains("--identity") == false, "\(other.all)")
            #expect(lines.last?.contains("--server") == false, "\(other.all)")
            let second = try machine.enroll(
                "register", "--code", machine.invitation(for: "bob"), pin: "4962", identity: "bob")
            let hint = try #require(second.output.split(separator: "\n").last)
            #expect(hint.contains("--identity bob"), "\(second.all)")

            let same = try Machine()
            let own = try same.enroll(
                "register", "--code", same.invitation(for: same.account), pin: "4962", identity: same.account)
            #expect(own.output.hasPrefix("\(same.account) is enrolled at unix:"), "\(own.all)")
        }

        @Test(.enabled(if: SpareMachine.isPossible))
        func `the report of an enrollment names the services that ask for the PIN`()
            throws
        {
            let spare = try SpareMachine()
            let before = try spare.register("bob", user: "daemon")
            #expect(before.output.contains("No service asks for the PIN yet"), "\(before.all)")
            try #require(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            let after = try spare.register("carol", user: "daemon")
            #expect(
                after.output.contains("The PIN works for: sudo. Ask daemon to test the PIN: mpin-enroll test\n"),
                "\(after.all)")
            #expect(!after.output.contains("No service asks"), "\(after.all)")
        }

        @Test(.enabled(if: SpareMachine.isPossible))
        func `the report of another user's enrollment lets that user try the PIN`() throws {
            let spare = try SpareMachine(isEnrolled: false)
            let run = try spare.register()
            #expect(
                run.output.contains("Ask \(SpareMachine.account) to test the PIN: mpin-enroll test\n"), "\(run.all)")
        }

        @Test(.enabled(if: SpareMachine.isPossible)) func `doctor names the cause before what follows from it`() throws
        {
            let spare = try SpareMachine(isEnrolled: false)
            try spare.put("store = \(spare.machine.store)\n", at: "/etc/mpin/mpin.conf")
            let output = try spare.enroll("doctor").output
            let cause = try #require(output.range(of: "No server is set."), "\(output)")
            let result = try #require(output.range(of: "No user is enrolled on this machine."), "\(output)")
            #expect(cause.lowerBound < result.lowerBound)
        }
    }
}
