// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Logins with ssh at a real sshd, with certificates of the server.
    @Suite(.enabled(if: PrivateSystem.isPossible && Products.sshd != nil)) struct SSHLoginTests {
        /// A laptop, and a host that trusts the CA of its server, under the names db1 and db2.
        private final class Site {
            let laptop: SSHLaptop
            let host: SSHHost
            private var sshd: Background?

            var directory: String { laptop.machine.directory }
            /// A directory in which alice may write on the host.
            var inbox: String { directory + "/inbox" }

            /// - Parameter script: what the host's root does before sshd starts.
            init(_ script: String = ":") throws {
                laptop = try SSHLaptop()
                host = try SSHHost(main: SSHHost.include + "Subsystem sftp internal-sftp\n")
                let made = try laptop.machine.administer("ssh", "host-script")
                try #require(made.status == 0, "\(made.all)")
                try host.write(made.output, to: "mpin-host.sh")
                let set = try host.run("host")
                try #require(set.status == 0, "\(set.all)")

                let port = try #require(host.read("ssh/sshd_config").firstMatch(of: #/Port ([0-9]+)/#)?.output.1)
                let key = try host.read("ssh/host.pub")
                try laptop.write("db " + key, to: laptop.home + "/.ssh/known_hosts")
                try laptop.write(
                    """
                    Host db1 db2
                        HostName 127.0.0.1
                        Port \(port)
                        User alice
                        HostKeyAlias db

                    """, to: laptop.config)
                let setup = try laptop.plain("setup", "db1", "db2", "--yes")
                try #require(setup.status == 0, "\(setup.all)")
                try #require(mkdir(directory + "/bin", 0o755) == 0 && mkdir(inbox, 0o755) == 0)
                try #require(chown(inbox, 63_999, 65_534) == 0)
                // In place of the configuration files of the machine.
                let options = laptop.machine.call("ssh").dropFirst().joined(separator: " ")
                try program("mpin-enroll", "exec \(Products.enroll) \"$@\" \(options)")
                try program("mpin-server", "exec \(Products.server) \"$@\" --dir \(directory)/server")
                try program("askpass", "echo \"$1\" >> \(directory)/prompts; echo 4962")
                try start(script)
            }

            private func program(_ name: String, _ commands: String) throws {
                try laptop.machine.write("#!/bin/sh\n\(commands)\n", to: "/bin/" + name)
                try #require(chmod("\(directory)/bin/\(name)", 0o755) == 0)
            }

            func start(_ script: String) throws {
                sshd?.kill()
                sshd = try host.start(after: script)
            }

            /// The call of a program of the laptop, without a terminal.
            func call(_ words: [String]) -> [String] {
                let environment = [
                    "PATH=\(directory)/bin:/usr/bin:/bin", "SSH_ASKPASS=\(directory)/bin/askpass",
                ]
                return ["/usr/bin/setsid", "--wait"] + laptop.call(["/usr/bin/env"] + environment + words)
            }

            func run(_ words: String...) throws -> Run { try Run(call(words)) }

            /// Whether ssh opens an account of the host.
            func opens(_ account: String = "alice") throws -> Bool {
                let run = try run("ssh", account + "@db1", "id", "-un")
                #expect(run.status == 0 ? run.output == account + "\n" : run.status == 255, "\(run.all)")
                return run.status == 0
            }

            /// How often the PIN was asked for.
            var prompts: Int {
                (laptop.text(directory + "/prompts") ?? "").components(separatedBy: "PIN for alice ").count - 1
            }

            /// The serial numbers in sshd's log, one for each login.
            func serials() throws -> [String] {
                let login = #/Accepted publickey for alice .* ID alice/1/\S* \(serial ([0-9]+)\)/#
                return try host.read("log").matches(of: login).map { String($0.output.1) }
            }
        }

        @Test func `ssh, scp, rsync, git and a jump host need one PIN`() throws {
            let site = try Site()
            #expect(try site.opens())
            let files = ["copied", "synchronized"].map { "\(site.inbox)/\($0)" }
            try site.laptop.write("content\n", to: site.directory + "/file")
            let git = ["git", "-C", site.directory + "/work"]
            let calls: [[String]] = [
                ["scp", "-q", site.directory + "/file", "db1:" + files[0]],
                ["rsync", "-q", site.directory + "/file", "db1:" + files[1]],
                ["ssh", "db1", "git init -q --bare \(site.inbox)/repository"],
                ["git", "init", "-q", site.directory + "/work"],
                git + [
                    "-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "-q", "--allow-empty", "-m", "one",
                ],
                git + ["push", "-q", "db1:\(site.inbox)/repository", "HEAD:refs/heads/pushed"],
            ]
            for call in calls {
                let run = try Run(site.call(call))
                #expect(run.status == 0, "\(call): \(run.all)")
            }
            for file in files { #expect(site.laptop.text(file) == "content\n") }
            #expect(access(site.inbox + "/repository/refs/heads/pushed", F_OK) == 0)
            let jump = try site.run("ssh", "-J", "db1", "db2", "id", "-un")
            #expect(jump.status == 0 && jump.output == "alice\n", "\(jump.all)")
            #expect(site.prompts == 1)
            let serials = try site.serials()
            #expect(serials.count == 7 && Set(serials).count == 1, "\(serials)")
            let log = try site.laptop.machine.administer("audit").output
            #expect(log.contains("(device 1, serial \(serials.first ?? ""),"), "\(log)")

            // The same certificate opens no other account.
            for account in ["bob", "root"] { #expect(try !site.opens(account)) }
            #expect(try site.opens())
        }

        @Test func `four logins at once ask once`() throws {
            let site = try Site()
            let logins = try (0..<4).map { _ in try Background(site.call(["ssh", "db1", "id", "-un"])) }
            for login in logins { #expect(login.end() == "alice") }
            #expect(try site.prompts == 1 && site.serials().count == 4)
        }

        @Test func `a ControlMaster stays open without a certificate, and ssh asks for the PIN anyway`() throws {
            let site = try Site()
            let socket = site.directory + "/control"
            let master = try Background(site.call(["ssh", "-M", "-S", socket, "-N", "db1"]))
            #expect(becomes { access(socket, F_OK) == 0 })
            #expect(try site.laptop.plain("forget").status == 0)
            let run = try site.run("ssh", "-S", socket, "db1", "id", "-un")
            #expect(run.status == 0 && run.output == "alice\n", "\(run.all)")
            #expect(try site.prompts == 2 && site.serials().count == 1)
            #expect(try site.run("ssh", "-S", socket, "-O", "exit", "db1").status == 0)
            master.end()
        }

        @Test(arguments: [("-10m", "not yet valid"), ("-4m", nil), ("+9h", "expired")])
        func `the clock of the host is wrong`(_ shift: String, _ reason: String?) throws {
            let site = try Site(
                """
                LD_PRELOAD=$(echo /usr/lib/*/faketime/libfaketime.so.1) && [ -e "$LD_PRELOAD" ] || exit 9
                export LD_PRELOAD FAKETIME=\(shift) FAKETIME_DONT_FAKE_MONOTONIC=1
                """)
            // sshd's sandbox sometimes kills its process because of a system call of libfaketime.
            var (isOpen, log, triesLeft) = (false, "", 5)
            repeat {
                let before = try site.host.read("log").count
                isOpen = try site.opens()
                log = String(try site.host.read("log").dropFirst(before))
                triesLeft -= 1
            } while log.contains("terminated by signal 31") && triesLeft > 0
            #expect(isOpen == (reason == nil), "\(log)")
            if let reason { #expect(log.contains("Certificate invalid: \(reason)"), "\(log)") }
            try site.start(":")
            #expect(try site.opens())
        }

        @Test func `a blocked device, and another server at the same address, give no certificate`() throws {
            let site = try Site()
            let machine = site.laptop.machine
            let other = try Machine(isServing: false)
            for words in [["ssh", "enable"], ["ssh", "allow", "alice"]] {
                try #require(Run(Products.server, words + ["--dir", other.directory + "/server"]).status == 0)
            }
            machine.kill()
            let stranger = try Background(
                [Products.server, "serve", "--dir", other.directory + "/server", "--listen", machine.url])
            try stranger.requireLine("ready")
            let foreign = try site.laptop.run("--json", pin: "4962")
            #expect(foreign.status == 69 && foreign.output.contains("did not sign its answer"), "\(foreign.all)")
            #expect(try !site.opens())
            stranger.kill()
            try machine.start()

            for status: Int32 in [81, 81, 82] {
                let run = try site.laptop.run(pin: "4963")
                #expect(run.status == status, "\(run.all)")
            }
            let blocked = try site.laptop.run("--json", pin: "4962")
            #expect(blocked.status == 82, "\(blocked.all)")
            #expect(try !site.opens())
            #expect(site.laptop.text(site.laptop.certificate) == nil)
            #expect(try !machine.administer("audit").output.contains("ssh-certificate"))
        }

        /// The commands in a section of docs/ssh.md, block by block.
        private func commands(below heading: String) throws -> [String] {
            let file = Products.repository.appendingPathComponent("docs/ssh.md")
            let sections = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n### ")
            let section = try #require(sections.first { $0.hasPrefix(heading + "\n") })
            return section.components(separatedBy: "```\n").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        }

        @Test func `a certificate is revoked as the manual says`() throws {
            let site = try Site()
            #expect(try site.opens())
            let serial = try #require(site.serials().first)
            let blocks = try commands(below: "Revoke a certificate before it expires")
            try #require(blocks.count == 2)
            let root = "sudo() { \"$@\"; }; systemctl() { :; }; set -e; mkdir -p /run/sshd; "
            // Of device 1, which alice has, and not of device 2.
            for (block, isListed) in [
                (blocks[0], false), (blocks[0].replacing("(device 2,", with: "(device 1,"), true),
            ] {
                let made = try site.run("/bin/sh", "-c", "\(root)cd \(site.inbox)\n\(block)")
                #expect(made.status == 0 && made.output.contains("serial: \(serial)\n") == isListed, "\(made.all)")
            }
            let set = try site.host.run("\(root)cp \(site.inbox)/mpin_krl /etc/ssh/mpin_krl\n\(blocks[1])")
            #expect(set.status == 0 && set.output.hasSuffix("\nrevokedkeys /etc/ssh/mpin_krl\n"), "\(set.all)")
            try site.start(":")
            #expect(try !site.opens())
            let log = try site.host.read("log")
            #expect(log.contains("revoked by file /etc/ssh/mpin_krl"), "\(log)")
            // The list names only that certificate.
            #expect(try site.run("mpin-enroll", "ssh").status == 0)
            #expect(try site.opens())
            #expect(try site.serials() != [serial])
        }
    }
}
