import Foundation
import Testing

extension EndToEnd {
    /// `config`, and how `mpin-enroll` shows things where not everything can be shown.
    @Suite struct ConfigurationCommandTests {
        @Test func `every value is shown with the place that it comes from`() throws {
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
            #expect(lines.contains("timeout\t9\t\(path):2\n") && lines.contains("server\t-\tdefault\n"), "\(lines)")
        }

        @Test func `every fault of a configuration is named at once`() throws {
            let machine = try Machine()
            try machine.write(
                "timeot = 3\nstore = relative\n[nowhere]\nserver = http://a\ntries = 2\ntries = 3\n", to: "/own.conf")
            let path = machine.directory + "/own.conf"
            let run = try Run(Products.enroll, ["config", "check", "--config", path])
            #expect(run.status == 78 && run.output.isEmpty, "\(run.all)")
            for (line, fault) in [
                (1, "unknown key 'timeot'"), (2, "store is not an absolute path"), (3, "unknown section"),
                (4, "server is not https://HOST or unix:/PATH"), (6, "tries was set before"),
            ] {
                #expect(run.errors.contains("\(path) line \(line): \(fault)\n"), "\(run.all)")
            }
            let object = try Run(Products.enroll, ["config", "check", "--config", path, "--json"])
            let details = (try object.json()["error"] as? [String: Any])?["details"] as? [String]
            #expect(details?.count == 5 && object.errorCode == "CONFIGURATION", "\(object.all)")
            try machine.write("timeout = 3\n", to: "/own.conf")
            #expect(try Run(Products.enroll, ["config", "check", "--config", path]).output == "\(path) is in order.\n")
        }

        @Test func `without UTF-8 everything is ASCII, and colours are for who wants them`() throws {
            let machine = try Machine()
            try machine.register()
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
                _ = terminal.end(seconds: 30)
                #expect(terminal.screen.contains(escape) == isPainted, "\(more) \(environment): \(terminal.screen)")
            }
        }

        @Test func `forty columns are enough`() throws {
            let machine = try Machine()
            try machine.register()
            for command in [["list"], ["doctor"], ["config", "show"], ["pam", "show", "su"]] {
                let terminal = try Terminal(
                    "/usr/bin/env", ["COLUMNS=40", Products.enroll] + command + machine.call("x").dropFirst())
                _ = terminal.end(seconds: 30)
                // What is copied stays whole: addresses, paths and commands.
                let long = terminal.screen.split(separator: "\n").filter { line in
                    line.count > 40 && !["/", "mpin-enroll", "apt "].contains { line.contains($0) }
                        && !line.contains("remote_services") && !line.contains("sshd,")
                }
                #expect(long.isEmpty, "\(long)")
                #expect(terminal.screen.count > 60, "\(command): \(terminal.screen)")
            }
        }

        @Test func `quiet leaves what was asked for and what failed`() throws {
            let machine = try Machine()
            try machine.register()
            let pin = try machine.pinFile("4962")
            let test = try Run(Products.enroll, machine.call("test") + ["--quiet", "--pin-file", pin])
            #expect(test.status == 0 && test.all.isEmpty, "\(test.all)")
            let status = try Run(Products.enroll, machine.call("status") + ["--quiet"])
            #expect(status.output.contains("REGISTERED") && !status.output.contains("next "), "\(status.all)")
            let failed = try Run(
                Products.enroll, machine.call("test") + ["--quiet", "--pin-file", try machine.pinFile("4963")])
            #expect(failed.status == 81 && !failed.errors.isEmpty, "\(failed.all)")
        }
    }
}
