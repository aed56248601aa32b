// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// `config`, and how `mpin-enroll` shows things where not everything can be shown.
    @Suite struct ConfigurationCommandTests {
        @Test func `every value is shown with its source`() throws {
            let machine = try Machine()
            try machine.write("# first\ntimeout = 9\n[login]\ntries = 2\n", to: "/own.conf")
            let path = machine.directory + "/own.conf"
            let run = try Run(Products.enroll, ["config", "show", "--config", path, "--store", "/srv/mpin", "--json"])
            #expect(run.status == 0, "\(run.all)")
            let options = try #require(try run.json()["options"] as? [[String: Any]])
            let origins = Dictionary(
                uniqueKeysWithValues: options.map { ($0["option"] as? String ?? "", $0["origin"] as? String ?? "") })
            #expect(origins["timeout"] == path + ":2" && origins["tries"] == path + ":4")
            #expect(origins["store"] == "--store" && origins["server_user"] == "default" && origins.count > 10)
            let lines = try Run(Products.enroll, ["config", "show", "--config", path]).output
            #expect(lines.contains("timeout\t\(path):2\t9\n") && lines.contains("server\tdefault\t-\n"), "\(lines)")
        }

        @Test func `each option has one line, and the address can be that of the enrollment`() throws {
            let machine = try Machine.enrolled()
            let pins = (0..<3).map { _ in "sha256//" + String(repeating: "A", count: 43) + "=" }.joined(separator: ";")
            try machine.write("tls_pin = \(pins)\n", to: "/mpin.conf")
            let words = [
                "config", "show", "--config", machine.directory + "/mpin.conf", "--store", machine.store, "--user",
                machine.account,
            ]
            let terminal = try Terminal("/usr/bin/env", ["COLUMNS=100", Products.enroll] + words)
            #expect(terminal.end() == 0, "\(terminal.screen)")
            let lines = terminal.screen.split(separator: "\n")
            let row = lines.first { $0.hasPrefix("server ") }
            #expect(row?.contains(" enrollment ") == true && row?.hasSuffix(machine.url) == true, "\(lines)")
            #expect(lines.filter { $0.hasPrefix("tls_pin ") && $0.hasSuffix(pins) }.count == 1, "\(lines)")
            #expect(lines.filter { $0.hasPrefix("timeout ") && $0.hasSuffix(" 5") }.count == 1, "\(lines)")
            let options = try Run(Products.enroll, words + ["--json"]).json()["options"] as? [[String: Any]]
            #expect(options?.first { $0["option"] as? String == "server" }?["enrollment"] as? String == machine.url)
        }

        @Test func `an unknown key is answered with the keys of its section`() throws {
            let machine = try Machine()
            try machine.write("[remote]\nsudo_over_shh = pin\n", to: "/own.conf")
            let path = machine.directory + "/own.conf"
            for words in [["config", "check"], ["status"]] {
                let run = try Run(Products.enroll, words + ["--config", path])
                #expect(run.status == 78 && run.errors.contains("unknown key 'sudo_over_shh'"), "\(run.all)")
                let answer = "([remote] can have method, local_services, sudo_over_ssh)"
                #expect(run.errors.contains(answer), "\(run.all)")
            }
        }

        @Test func `a TPM with an impossible socket path is a problem of the configuration`() throws {
            let machine = try Machine.enrolled()
            let call = try machine.call("test") + ["--pin-file", machine.pinFile("4962")]
            for (length, status) in [(107, 0), (108, 78)] {
                let path = "/" + String(repeating: "x", count: length - 1)
                try machine.write("[store]\ntpm_device = swtpm:path=\(path)\n", to: "/mpin.conf")
                for call in [call, ["config", "check", "--config", machine.directory + "/mpin.conf"]] {
                    let run = try Run(Products.enroll, call)
                    #expect(run.status == Int32(status), "\(run.all)")
                    let isNamed = run.errors.contains("line 2: tpm_device has a path longer than 107 bytes")
                    #expect(isNamed == (length > 107), "\(run.all)")
                }
            }
        }

        @Test(arguments: 5...8) func `too few descriptors are not a problem of the store or of a package`(
            limit: Int
        ) throws {
            let machine = try Machine.enrolled()
            let call = try machine.call("test") + ["--pin-file", machine.pinFile("4962")]
            let run = try Run("/usr/bin/prlimit", ["--nofile=\(limit)", Products.enroll] + call)
            #expect(!run.all.contains("owner and mode") && !run.all.contains("--reinstall"), "\(run.all)")
        }

        @Test func `every problem of a configuration is named at once`() throws {
            let machine = try Machine()
            try machine.write(
                "timeot = 3\nstore = relative\n[nowhere]\nserver = http://a\ntries = 2\ntries = 3\n", to: "/own.conf")
            let path = machine.directory + "/own.conf"
            let run = try Run(Products.enroll, ["config", "check", "--config", path])
            #expect(run.status == 78 && run.output.isEmpty, "\(run.all)")
            for (line, fault) in [
                (1, "unknown key 'timeot' (the file can have server, ca_file, "), (2, "store must be an absolute path"),
                (3, "unknown section"),
                (4, "server must be https://HOST or unix:/PATH"), (6, "tries is set twice"),
            ] {
                #expect(run.errors.contains("\(path) line \(line): \(fault)"), "\(run.all)")
            }
            let object = try Run(Products.enroll, ["config", "check", "--config", path, "--json"])
            let details = (try object.json()["error"] as? [String: Any])?["details"] as? [String]
            #expect(details?.count == 5 && object.errorCode == "CONFIGURATION", "\(object.all)")
            try machine.write("timeout = 3\n", to: "/own.conf")
            #expect(try Run(Products.enroll, ["config", "check", "--config", path]).output == "\(path) is valid.\n")
        }

        @Test(arguments: [
            ("Timeout = 3", "unknown key"), ("time-out = 3", "unknown key"),
            ("[login]\ntimeout = 3", "is in the wrong section"), ("pass word = x", "unknown key"),
        ])
        func `a mistake is named by what it looks like`(text: String, part: String) throws {
            let machine = try Machine()
            try machine.write(text + "\n", to: "/own.conf")
            let path = machine.directory + "/own.conf"
            let run = try Run(Products.enroll, ["config", "check", "--config", path])
            let line = text.split(separator: "\n").count
            #expect(run.status == 78 && run.errors.contains("\(path) line \(line): "), "\(run.all)")
            #expect(run.errors.contains(part) && !run.errors.contains("pass"), "\(run.all)")
            #expect(run.errors.contains("is refused"), "\(run.all)")
            let status = try Run(Products.enroll, ["status", "--config", path])
            #expect(status.errors.contains("config check --config \(path)"), "\(status.all)")
        }

        @Test(.enabled(if: SpareMachine.isPossible)) func `a mode is named at once with what else is wrong`() throws {
            let spare = try SpareMachine()
            let path = "/etc/mpin/mpin.conf"
            try spare.put(spare.read(path) + "timeot = 3\n", at: path, mode: 0o666)
            let check = try spare.enroll("config", "check")
            #expect(check.errors.contains("\(path) is open to other users\n"), "\(check.all)")
            #expect(check.errors.contains("line 3: unknown key 'timeot'"), "\(check.all)")
            #expect(check.errors.contains("chmod go-w \(path)"), "\(check.all)")
            for command in [["status"], ["test"], ["pam", "enable", "sudo"]] {
                let run = try spare.run([Products.enroll] + command)
                #expect(run.status == 78 && run.errors.contains("Fix it: chmod go-w \(path)\n"), "\(run.all)")
            }
            let user = Launcher.nobody
            let plain = try spare.run(user + [Products.enroll, "status"])
            #expect(plain.errors.contains("Fix it: sudo chmod go-w \(path)\n"), "\(plain.all)")
            let mended = try spare.enroll("doctor", "--fix")
            #expect(mended.output.contains("Set the mode of \(path) to 0644."), "\(mended.all)")
            #expect(mended.status == 1 && mended.output.contains("line 3: unknown key 'timeot'"), "\(mended.all)")
            #expect(spare.mode(spare.place(path)) == 0o644)
        }

        @Test func `without UTF-8 everything is ASCII, and colors are optional`() throws {
            let machine = try Machine.enrolled()
            let doctor = machine.call("doctor")
            let plain = try Run(Products.enroll, doctor, environment: ["LC_ALL": "C"])
            #expect(plain.output.utf8.allSatisfy { $0 < 0x80 && ($0 >= 0x20 || $0 == 0x0A) }, "\(plain.all)")
            #expect(plain.output.contains("\nok        \(machine.account)"), "\(plain.all)")
            let unicode = try Run(Products.enroll, doctor, environment: ["LC_ALL": "C.UTF-8"])
            #expect(unicode.output.contains("\n✓ ok      \(machine.account)"), "\(unicode.all)")
            let escape = "\u{1b}[32m"
            let always = try Run(Products.enroll, doctor + ["--color", "always"], environment: ["NO_COLOR": "1"])
            #expect(always.output.contains(escape), "\(always.all)")
            for (more, environment, isPainted) in [
                ([], [:], true), (["--color", "never"], [:], false), ([], ["NO_COLOR": "1"], false),
                ([], ["TERM": "dumb"], false),
            ] as [([String], [String: String], Bool)] {
                let set = ["TERM": "xterm"].merging(environment) { $1 }.map { "\($0)=\($1)" }
                let terminal = try Terminal("/usr/bin/env", set + [Products.enroll] + doctor + more)
                _ = terminal.end()
                #expect(terminal.screen.contains(escape) == isPainted, "\(more) \(environment): \(terminal.screen)")
            }
        }

        @Test func `forty columns are enough`() throws {
            let machine = try Machine.enrolled()
            let fingerprint = try machine.fingerprint()
            for command in [["list"], ["doctor"], ["status"], ["config", "show"], ["pam", "show", "su"]] {
                let terminal = try Terminal(
                    "/usr/bin/env", ["COLUMNS=40", Products.enroll] + command + machine.call("x").dropFirst())
                _ = terminal.end()
                // What is copied stays whole: addresses, paths, fingerprints and commands.
                let long = terminal.screen.split(separator: "\n").filter { line in
                    line.count > 40 && !["/", "mpin-enroll", "apt "].contains { line.contains($0) }
                        && !line.contains("local_services") && !line.contains("gdm-password,")
                        && !line.contains(fingerprint)
                }
                #expect(long.isEmpty, "\(long)")
                #expect(terminal.screen.count > 60, "\(command): \(terminal.screen)")
            }
        }

        @Test func `quiet leaves what was asked for and what failed`() throws {
            let machine = try Machine.enrolled()
            let pin = try machine.pinFile("4962")
            let test = try Run(Products.enroll, machine.call("test") + ["--quiet", "--pin-file", pin])
            #expect(test.status == 0 && test.all.isEmpty, "\(test.all)")
            let status = try Run(Products.enroll, machine.call("status") + ["--quiet"])
            #expect(status.output.contains("state     enrolled\n") && !status.output.contains("next "), "\(status.all)")
            let failed = try Run(
                Products.enroll, machine.call("test") + ["--quiet", "--pin-file", try machine.pinFile("4963")])
            #expect(failed.status == 81 && !failed.errors.isEmpty, "\(failed.all)")
        }
    }
}
