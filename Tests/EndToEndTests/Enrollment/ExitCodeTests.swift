// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Exit codes and messages for mistakes on the command line.
    @Suite struct ExitCodeTests {
        private func bare(_ machine: Machine, _ arguments: String...) throws -> Run {
            try Run(
                "/usr/bin/setsid",
                ["--wait", Products.enroll] + arguments + [
                    "--store", machine.store, "--config", machine.directory + "/mpin.conf",
                ])
        }

        @Test func `missing input is named`() throws {
            let machine = try Machine()
            let noServer = try bare(
                machine, "register", "--code", "AAAA-AAAA-AAAA-AAAA", "--pin-file", machine.pinFile("4962"))
            #expect(noServer.status == 78 && noServer.errors.contains("--server"), "\(noServer.all)")
            let noPIN = try machine.enroll("register", "--code", machine.invitation())
            #expect(noPIN.status == 66 && noPIN.errors.contains("--pin-file"), "\(noPIN.all)")
            let noCode = try machine.enroll("register", pin: "4962")
            #expect(noCode.status == 66 && noCode.errors.contains("--code-file"), "\(noCode.all)")
            #expect(noCode.errors.contains("requires a code to enroll 'alice'"), "\(noCode.errors)")
        }

        @Test func `malformed codes are refused`() throws {
            let machine = try Machine()
            for code in [
                "", " ", "foo", "AAAA-BBBB-CCCC-DDD", "AAAA-BBBB-CCCC-DDUU", "AAAA-BBBB-CCCC-DDDDD", "naïve", "12345",
                // These were the lengths of codes before they had names.
                "AAAA-BBBB-CCCC-DD", "AAAA-BBBB-CCCC",
            ] {
                let run = try machine.enroll("register", "--code", code, pin: "4962")
                #expect(run.status == 65, "\(code): \(run.all)")
            }
            #expect(try machine.administer("audit").output.contains("register-refused") == false)
            let refused = try machine.enroll("register", "--code", "AAAA-BBBB-CCCC-DDDD", pin: "4962")
            #expect(refused.status == 77, "\(refused.all)")
            #expect(refused.errors.contains("unix:\(machine.socket) did not accept this code for 'alice'"))
            #expect(refused.errors.contains("--identity"), "\(refused.errors)")
        }

        @Test func `accounts are those of the system`() throws {
            let machine = try Machine()
            for command in ["register", "test", "status", "list", "remove"] {
                let run = try bare(machine, command, "--user", "ghost-of-nobody")
                #expect(run.status == 67, "\(command): \(run.all)")
                #expect(run.errors.contains("There is no account 'ghost-of-nobody'"), "\(run.errors)")
            }
            #expect(try bare(machine, "test", "--user", "../x").status == 67)
            // Records of a deleted account can be listed and removed.
            try machine.register()
            try #require(rename(machine.record, machine.store + "/users/ghost-of-nobody.json") == 0)
            #expect(try bare(machine, "list").output.contains("ghost-of-nobody\talice\tREGISTERED"))
            #expect(try bare(machine, "test", "--user", "ghost-of-nobody").status == 67)
            let removed = try bare(machine, "remove", "--user", "ghost-of-nobody", "--local-only", "--yes")
            #expect(removed.status == 0, "\(removed.all)")
            #expect(try bare(machine, "list").output == "No account is enrolled.\n")
        }

        @Test func `an enrolled account is reported as enrolled`() throws {
            let machine = try Machine.enrolled()
            let run = try machine.enroll("register", "--json", "--code", machine.invitation(), pin: "4962")
            #expect(run.status == 79 && run.errorCode == "ENROLLED_ALREADY", "\(run.all)")
            try machine.block()
            #expect(try machine.enroll("register", "--code", machine.invitation(), pin: "4962").status == 82)
            for command in ["remove", "list"] {
                let other = try machine.enroll(command, "--yes", identity: "bob")
                if command == "remove" { #expect(other.status == 67, "\(other.all)") }
                #expect(!other.all.contains("Enroll: "), "\(other.all)")
            }
        }

        @Test func `messages name flags as they were typed`() throws {
            let machine = try Machine()
            let server = try bare(machine, "test", "--server", "http://localhost")
            #expect(server.status == 64 && server.errors.contains("--server must be https://HOST"), "\(server.all)")
            let timeout = try bare(machine, "test", "--timeout", "500")
            #expect(timeout.errors.contains("--timeout must be between 1 and 120"), "\(timeout.all)")
            for seconds in ["0", "500"] { #expect(try bare(machine, "test", "--timeout", seconds).status == 64) }
            #expect(try bare(machine, "test", "--server", "no address").status == 64)
            try machine.write("[login]\nserverr = unix:/x\n", to: "/mpin.conf")
            let key = try bare(machine, "status")
            #expect(key.status == 78 && key.errors.contains("line 2: unknown key 'serverr'"), "\(key.all)")
        }

        @Test(arguments: ["change-pin", "remove"])
        func `a store that another program has locked leads to a retry, and nothing is sent`(command: String) throws {
            let machine = try Machine.enrolled()
            let more = command == "remove" ? ["--yes"] : ["--new-pin-file", try machine.pinFile("7385")]
            let run = try Run(
                Launcher.locking(machine.store + "/users/\(machine.account).lock") + [Products.enroll]
                    + machine.call(command, "--json", "--timeout", "5", "--pin-file", machine.pinFile("4962")) + more)
            #expect(run.status == 75 && run.errorCode == "STORAGE_ERROR", "\(run.all)")
            #expect(run.all.contains("Another program is changing this registration"), "\(run.all)")
            #expect(run.all.contains("Try again.") && !run.all.contains("owner and mode"), "\(run.all)")
            #expect(try machine.enroll("test", pin: "4962").status == 0)
        }

        @Test func `the first step names the next one`() throws {
            let machine = try Machine()
            let directory = machine.directory + "/another"
            let run = try Run(Products.server, ["init", "--dir", directory])
            #expect(run.output.contains("mpin-server serve --listen unix:/run/mpin/server.sock --dir \(directory)"))
            #expect(run.output.contains("mpin-server invite USER --dir \(directory)"), "\(run.output)")
        }

        @Test func `a command that does not exist is a usage error`() throws {
            for (program, words) in [
                (Products.enroll, ["statsu"]), (Products.enroll, ["1234"]), (Products.server, ["usr"]),
                (Products.server, ["user", "block", "alice"]), (Products.enroll, ["test", "--pin", "1234"]),
            ] {
                let run = try Run(program, words)
                #expect(run.status == 64 && run.errors.contains("--help"), "\(words): \(run.all)")
                #expect(!run.all.contains("1234"), "\(run.all)")
                let object = try Run(program, words + ["--json"])
                #expect(object.status == 64 && object.errorCode == "USAGE", "\(object.all)")
            }
        }

        @Test func `both programs print their version`() throws {
            let enroll = try Run(Products.enroll, ["--version"]), server = try Run(Products.server, ["--version"])
            #expect(enroll.status == 0 && server.status == 0)
            let agent = try Run(Products.agent, ["--version"])
            #expect(agent.status == 0 && agent.output == enroll.output, "\(agent.all)")
            #expect(enroll.output == server.output && enroll.output.hasPrefix("0."), "\(enroll.all)\(server.all)")
            let help = try Run(Products.enroll, ["register", "--help"]).output.split(whereSeparator: \.isWhitespace)
                .joined(separator: " ")
            #expect(help.contains("<name>") && help.contains("<fingerprint>"), "\(help)")
        }

        @Test func `the list has columns at a terminal`() throws {
            let machine = try Machine.enrolled()
            func lines(_ width: Int) throws -> [String] {
                let terminal = try Terminal(
                    "/usr/bin/env", ["COLUMNS=\(width)", Products.enroll, "list", "--store", machine.store])
                #expect(terminal.end() == 0)
                return terminal.screen.split(separator: "\n").map(String.init)
            }
            let wide = try lines(250), key = try machine.fingerprint(), short = String(key.prefix(17))
            try #require(wide.count == 2, "\(wide)")
            #expect(wide[0].hasPrefix("ACCOUNT"))
            let columns = [
                "IDENTITY": "alice", "STATE": "enrolled", "SERVER": "unix:", "KEY FROM": "invitation",
                "SERVER KEY": short,
            ]
            for (heading, cell) in columns {
                #expect(wide[0].range(of: heading)?.lowerBound == wide[1].range(of: cell)?.lowerBound, "\(heading)")
            }
            #expect(!wide[1].contains(key), "\(wide)")
            // The store's path does not fit into a narrow table.
            let narrow = try lines(80)
            #expect(narrow.contains("SERVER KEY  \(short)") && narrow.contains("STATE       enrolled"), "\(narrow)")
            let stable = try Run(Products.enroll, ["list", "--store", machine.store])
            let cells = [machine.account, "alice", "REGISTERED", "unix:" + machine.socket, "invitation", key]
            #expect(stable.output == cells.joined(separator: "\t") + "\n", "\(stable.output)")
            let users = try machine.administer("user", "list")
            #expect(users.output.contains("REGISTERED\talice\t1\n"), "\(users.output)")
        }
    }
}
