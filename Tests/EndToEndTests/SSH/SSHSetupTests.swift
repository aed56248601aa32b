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

        @Test func `ssh reads the settings for the named hosts, and for no others`() throws {
            let laptop = try SSHLaptop(isGranted: nil)
            let run = try laptop.plain("setup", "db1", "*.example.org", "--yes")
            #expect(run.status == 0, "\(run.all)")
            #expect(run.output == "ssh asks for the PIN to log in to: db1, *.example.org.\n", "\(run.all)")
            #expect(
                laptop.text(laptop.included) == """
                    # Written by mpin-enroll ssh setup.
                    Host db1 *.example.org
                        CertificateFile /run/user/%i/mpin/id_mpin-cert.pub
                        IdentityFile /run/user/%i/mpin/id_mpin
                        IdentitiesOnly yes
                        AddKeysToAgent no
                        PreferredAuthentications publickey
                    Match originalhost db1,*.example.org exec "mpin-enroll ssh --if-needed"
                    Match originalhost db1,*.example.org exec "test -f ~/.ssh/id_mpin"
                        CertificateFile ~/.ssh/id_mpin-cert.pub
                        IdentityFile ~/.ssh/id_mpin

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
            #expect(laptop.text(laptop.included)?.contains("\nHost db1 *.example.org web\n") == true)
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

        @Test(arguments: [false, true])
        func `a file that changes while the user decides stays`(_ isRemoving: Bool) throws {
            let laptop = try SSHLaptop(isGranted: nil)
            if isRemoving { try #require(laptop.plain("setup", "db1", "--yes").status == 0) }
            let before = (laptop.text(laptop.config) ?? "") + "User bob\n"
            let terminal = try Terminal(
                laptop.call([Products.enroll, "ssh", "setup", isRemoving ? "--remove" : "db1"]))
            #expect(terminal.shows("Make this change? [y/N] "), "\(terminal.screen)")
            try laptop.write(before, to: laptop.config)
            terminal.type("y")
            #expect(terminal.end() == 74, "\(terminal.screen)")
            #expect(
                terminal.screen.contains("/.ssh/config was changed meanwhile. Run the command again.\n"),
                "\(terminal.screen)")
            #expect(laptop.text(laptop.config) == before)
            let again = try laptop.plain("setup", isRemoving ? "--remove" : "db1", "--yes")
            #expect(again.status == 0, "\(again.all)")
            #expect(laptop.text(laptop.config) == (isRemoving ? "" : "Include mpin.conf\n") + "User bob\n")
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
            let lines = run.output.split(separator: "\n").drop { !$0.hasPrefix("# ") }
            try laptop.write(lines.joined(separator: "\n") + "\nUser bob\n", to: target)
            #expect(try values("db1", laptop).contains(Self.used[0]))
            let other = try values("db2", laptop)
            #expect(other.contains("user bob") && !other.contains(Self.used[0]), "\(other)")
        }

        @Test(arguments: [
            "", "a b", "a,b", "a\"b", "a'b", "a%h", "#a", "a\nUser x", "a\tb", "a\\b", "a=b", "a\u{7F}", "ä", "a`b",
            "!a",
            "a!b", "a/b", "a$b", "a;b", "[a]", "a@b", "\u{661}",
        ])
        func `a pattern with a meaning for the configuration is refused`(_ pattern: String) throws {
            let laptop = try SSHLaptop(isGranted: nil)
            let run = try laptop.plain("setup", "db1", pattern, "--yes")
            #expect(run.status == 64 && run.errors.contains("ASCII letters, digits, and the characters . - _ : * ?"))
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

        @Test func `a character class that a pattern may have`() throws {
            let laptop = try SSHLaptop(isGranted: nil)
            #expect(try laptop.plain("setup", "aZ09.-_", "2001:db8::?", "*", "--yes").status == 0)
            #expect(laptop.text(laptop.included)?.contains("\nHost aZ09.-_ 2001:db8::? *\n") == true)
            #expect(try values("2001:db8::1", laptop).contains(Self.used[0]))
        }

        @Test(arguments: ["Host db1\n    User bob\n", "", "\n# Written by mpin-enroll ssh setup\nHost db1\n"])
        func `a file of the user's own with this name stays`(_ text: String) throws {
            let laptop = try SSHLaptop(isGranted: nil)
            try laptop.write(text, to: laptop.included)
            try laptop.write("Include mpin.conf\n", to: laptop.config)
            for words in [["db1"], ["--remove"]] {
                let run = try Run(laptop.call([Products.enroll, "ssh", "setup", "--yes"] + words))
                #expect(
                    run.status == 74
                        && run.errors == """
                            mpin-enroll: /root/.ssh/mpin.conf is not a file of mpin-enroll. Nothing was changed.
                            Rename it, then try again: mv /root/.ssh/mpin.conf /root/.ssh/mpin.conf.own

                            """,
                    "\(run.all)")
                #expect(laptop.text(laptop.included) == text && laptop.text(laptop.config) == "Include mpin.conf\n")
            }
            try #require(rename(laptop.included, laptop.included + ".own") == 0)
            #expect(try laptop.plain("setup", "db1", "--yes").status == 0)
        }

        /// The files that ssh tries for a host.
        private func tried(_ laptop: SSHLaptop) throws -> [String] {
            try values("db1", laptop).filter { $0.hasPrefix("identityfile ") || $0.hasPrefix("certificatefile ") }
        }

        @Test func `ssh finds the files in the place that the login has, and forget deletes them in both`() throws {
            // The setup was made in a login with a directory of the session, and the next one has none.
            let laptop = try SSHLaptop()
            #expect(try laptop.plain("setup", "db1", "--yes").status == 0)
            let own = ["/run/user/%i/mpin/id_mpin", "~/.ssh/id_mpin"]
            let first = try tried(laptop).map { $0.replacing("/0/", with: "/%i/") }
            #expect(first == ["identityfile \(own[0])", "certificatefile \(own[0])-cert.pub"], "\(first)")
            #expect(try laptop.run(pin: "4962").status == 0)
            try laptop.endSession()
            #expect(laptop.text(laptop.machine.directory + "/ended/mpin/id_mpin") != nil)
            #expect(try laptop.run(pin: "4962").status == 0)
            #expect(try laptop.plain("--if-needed").status == 0)
            let second = try tried(laptop).map { $0.replacing("/0/", with: "/%i/") }
            #expect(
                second == own.map { "identityfile \($0)" } + own.map { "certificatefile \($0)-cert.pub" }, "\(second)")
            try laptop.beginSession()
            #expect(try laptop.plain("forget").status == 0)
            for name in ["/run/0/mpin", "/home/.ssh"] {
                for file in ["/id_mpin", "/id_mpin-cert.pub"] {
                    #expect(laptop.mode(laptop.machine.directory + name + file) == nil, "\(name)\(file)")
                }
            }
        }
    }
}
