// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// `mpin-enroll ssh setup`, with the ssh of this machine as the reader of the configuration.
    @Suite(.enabled(if: PrivateSystem.isPossible)) struct SSHSetupTests {
        /// The values of a host in the configuration, as ssh reads it.
        private func values(_ host: String, _ laptop: SSHLaptop) throws -> [String] {
            let run = try Run(["/usr/bin/setsid", "--wait"] + laptop.call(["/usr/bin/ssh", "-G", host]))
            #expect(run.status == 0, "\(run.all)")
            return run.lines
        }

        private static let used = ["identitiesonly yes", "preferredauthentications publickey"]

        @Test func `ssh uses the certificate for the named hosts, and for no others`() throws {
            let laptop = try SSHLaptop(isGranted: nil)
            let run = try laptop.plain("setup", "db1", "*.example.org", "--yes")
            #expect(run.status == 0, "\(run.all)")
            #expect(run.output == "ssh asks for the PIN to log in to: db1, *.example.org.\n", "\(run.all)")
            #expect(
                laptop.text(laptop.included) == """
                    Host db1 *.example.org
                        IdentityFile /run/user/%i/mpin/id_mpin
                        IdentitiesOnly yes
                        AddKeysToAgent no
                        PreferredAuthentications publickey
                    Match originalhost db1,*.example.org exec "mpin-enroll ssh --if-needed"

                    """)
            #expect(laptop.text(laptop.config) == "Include mpin.conf\n")
            #expect(laptop.mode(laptop.included) == 0o600 && laptop.mode(laptop.config) == 0o600)
            for host in ["db1", "a.example.org"] {
                let values = try values(host, laptop)
                #expect(Self.used.allSatisfy(values.contains), "\(values)")
                #expect(values.contains { $0.hasPrefix("identityfile /run/user/") && $0.hasSuffix("/mpin/id_mpin") })
            }
            let other = try values("db2", laptop)
            #expect(!Self.used.contains { other.contains($0) }, "\(other)")

            // A second setup adds hosts, and a third one changes nothing.
            #expect(try laptop.plain("setup", "db1", "web", "--yes").status == 0)
            #expect(laptop.text(laptop.included)?.hasPrefix("Host db1 *.example.org web\n") == true)
            #expect(try values("web", laptop).contains(Self.used[0]))
            let again = try laptop.plain("setup", "web", "--json")
            #expect(try again.json()["changed"] as? Bool == false, "\(again.all)")
            #expect(laptop.text(laptop.config) == "Include mpin.conf\n")

            #expect(try laptop.plain("setup", "--remove", "--yes").status == 0)
            #expect(laptop.text(laptop.config) == nil && laptop.text(laptop.included) == nil)
            #expect(try laptop.plain("setup", "--remove").status == 0)
        }

        @Test func `ssh runs the command for these hosts, and for no others`() throws {
            let laptop = try SSHLaptop(isGranted: nil)
            try #require(laptop.plain("setup", "db1", "--yes").status == 0)
            let program = laptop.machine.directory + "/bin"
            try #require(mkdir(program, 0o755) == 0)
            try laptop.machine.write("#!/bin/sh\necho \"$@\" >> \(program)/log\n", to: "/bin/mpin-enroll")
            try #require(chmod(program + "/mpin-enroll", 0o755) == 0)
            for host in ["db2", "db1"] {
                let run = try Run(laptop.call(["/usr/bin/env", "PATH=\(program):/usr/bin:/bin", "ssh", "-G", host]))
                #expect(run.status == 0, "\(run.all)")
                #expect(laptop.text(program + "/log") == (host == "db1" ? "ssh --if-needed\n" : nil))
            }
        }

        @Test(arguments: [
            "Host *\n    User bob\n", "Host *\r\n    User bob\r\n", "# comment\n\nUser bob", "\n", "",
            "Host db1\n    Include mpin.conf\n\tPort 7\n",
        ])
        func `the configuration stays as it is below the first line, and remove undoes the setup`(
            _ text: String
        ) throws {
            let laptop = try SSHLaptop(isGranted: nil)
            try laptop.write(text, to: laptop.config)
            try #require(chmod(laptop.config, 0o640) == 0 && chown(laptop.config, 0, 65_534) == 0)
            #expect(try laptop.plain("setup", "db1", "--yes").status == 0)
            let ending = text.contains("\r\n") ? "\r\n" : "\n"
            #expect(laptop.text(laptop.config) == "Include mpin.conf" + ending + text)
            var status = stat()
            #expect(lstat(laptop.config, &status) == 0 && status.st_gid == 65_534 && status.st_mode & 0o777 == 0o640)
            #expect(try values("db1", laptop).contains(Self.used[0]))
            if text.contains("bob") { #expect(try values("db1", laptop).contains("user bob")) }
            #expect(try laptop.plain("setup", "--remove", "--yes").status == 0)
            #expect(laptop.text(laptop.config) ?? "" == text)
            #expect(laptop.text(laptop.included) == nil)
        }

        @Test func `nothing changes before the user has seen the change and agreed`() throws {
            let laptop = try SSHLaptop(isGranted: nil)
            try laptop.write("User bob\n", to: laptop.config)
            let needed = try laptop.plain("setup", "db1")
            #expect(needed.status == 66, "\(needed.all)")
            for answer in ["n", "y"] {
                let terminal = try Terminal(laptop.call([Products.enroll, "ssh", "setup", "db1"]))
                #expect(terminal.shows("+    IdentitiesOnly yes"))
                #expect(terminal.shows("config:\n+Include mpin.conf\n"), "\(terminal.screen)")
                #expect(laptop.text(laptop.config) == "User bob\n" && laptop.text(laptop.included) == nil)
                terminal.answer("Make this change? [y/N] ", answer)
                #expect(terminal.end() == (answer == "y" ? 0 : 130), "\(terminal.screen)")
            }
            #expect(laptop.text(laptop.config) == "Include mpin.conf\nUser bob\n")
        }

        @Test func `a symbolic link is left alone, and the lines are printed`() throws {
            let laptop = try SSHLaptop(isGranted: nil)
            let target = laptop.machine.directory + "/dotfiles"
            try laptop.write("User bob\n", to: target)
            try laptop.write("", to: laptop.config)
            try #require(unlink(laptop.config) == 0 && symlink(target, laptop.config) == 0)
            let run = try laptop.plain("setup", "db1", "--yes")
            #expect(run.status == 0 && run.output.contains("is a symbolic link"), "\(run.all)")
            #expect(laptop.text(target) == "User bob\n" && laptop.text(laptop.included) == nil)
            // The printed lines work in front of the others.
            let lines = run.output.split(separator: "\n").drop { !$0.hasPrefix("Host ") }
            try laptop.write(lines.joined(separator: "\n") + "\nUser bob\n", to: target)
            #expect(try values("db1", laptop).contains(Self.used[0]))
            let other = try values("db2", laptop)
            #expect(other.contains("user bob") && !other.contains(Self.used[0]), "\(other)")
        }

        @Test(arguments: [
            "", "a b", "a,b", "a\"b", "a'b", "a%h", "#a", "a\nUser x", "a\tb", "a\\b", "a=b", "a\u{7F}", "ä", "a`b",
        ])
        func `a pattern with a meaning for the configuration is refused`(_ pattern: String) throws {
            let laptop = try SSHLaptop(isGranted: nil)
            let run = try laptop.plain("setup", "db1", pattern, "--yes")
            #expect(run.status == 64, "\(run.all)")
            #expect(laptop.text(laptop.config) == nil && laptop.text(laptop.included) == nil)
        }

        @Test func `a configuration that cannot be written stays, and so does one that cannot be read`() throws {
            let laptop = try SSHLaptop(isGranted: nil)
            try laptop.write("User bob\n", to: laptop.config)
            let readOnly = "mount --bind /root/.ssh /root/.ssh && mount -o remount,bind,ro /root/.ssh"
            let closed = try Run(
                laptop.call(Launcher.namespace(readOnly) + [Products.enroll, "ssh", "setup", "db1", "--yes"]))
            #expect(closed.status == 74 && closed.errors.contains("Read-only file system"), "\(closed.all)")
            #expect(laptop.text(laptop.config) == "User bob\n")
            try laptop.write(String(repeating: "#\n", count: 1 << 20), to: laptop.config)
            #expect(try laptop.plain("setup", "db1", "--yes").status == 74)
            #expect(laptop.text(laptop.included) == nil)
        }

        @Test func `without a directory of the session, the files are in ~/.ssh`() throws {
            let laptop = try SSHLaptop(hasSession: false, isGranted: nil)
            #expect(try laptop.plain("setup", "db1", "--yes").status == 0)
            #expect(try values("db1", laptop).contains("identityfile ~/.ssh/id_mpin"))
            try laptop.sign("-5m:+2h")
            #expect(try laptop.plain("--if-needed").status == 0)
        }
    }
}
