// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// The built module under the real libpam.
    @Suite struct ModuleTests {
        @Test func `nothing is sent for invalid PINs`() throws {
            let machine = try Machine()
            try machine.register()
            for typed in ["", "12", "49621", "496a", String(repeating: "4", count: 600), "\u{8}\n\r\u{7f}INCORRECT"] {
                let run = try machine.pam("authenticate", typing: [typed])
                #expect(run.all.contains(PAMText.authError), "\(run.all)")
            }
            #expect(try machine.counted() == 0)
            let eof = try Run(
                "/usr/bin/pamtester", ["mpin", machine.account, "authenticate"],
                environment: [
                    "LD_PRELOAD": "libpam_wrapper.so", "PAM_WRAPPER": "1",
                    "PAM_WRAPPER_SERVICE_DIR": machine.directory + "/pam.d",
                ])
            #expect(eof.status != 0 && eof.status < 128)
            #expect(try machine.counted() == 0)
        }

        @Test func `the last try is not spent by accident`() throws {
            let machine = try Machine()
            try machine.register()
            for _ in 1...2 { #expect(try machine.pam("authenticate", typing: ["4963"]).status != 0) }
            #expect(try machine.pam("authenticate", typing: ["4963", "4962"]).status != 0)
            #expect(try machine.counted() == 2)
            #expect(try machine.pam("authenticate", typing: ["4962", "4962"]).status == 0)
            #expect(try machine.counted() == 0)
        }

        enum Fault: String, CaseIterable, Sendable {
            case link, pipe, directory, openMode, hardLink, empty, huge, notJSON
        }

        @Test(arguments: Fault.allCases)
        func `an unsafe token file denies`(_ fault: Fault) throws {
            let machine = try Machine()
            try machine.register()
            let path = machine.record
            let content = try String(contentsOfFile: path, encoding: .utf8)
            switch fault {
            case .link:
                #expect(rename(path, path + ".real") == 0 && symlink(path + ".real", path) == 0)
            case .pipe: #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
            case .directory: #expect(unlink(path) == 0 && mkdir(path, 0o700) == 0)
            case .openMode: #expect(chmod(path, 0o666) == 0)
            case .hardLink: #expect(link(path, path + ".second") == 0)
            case .empty: #expect(truncate(path, 0) == 0)
            case .huge: #expect(truncate(path, 1 << 30) == 0)
            case .notJSON:
                try Data("x\(content)".utf8).write(to: URL(fileURLWithPath: path))
                #expect(chmod(path, 0o600) == 0)
            }
            // Neither as a denial of the ordinary kind, which a stack may skip, nor by stepping aside.
            for options in ["", "ignore_unenrolled"] {
                try machine.service("mpin", machine.module(options))
                let run = try machine.pam("authenticate", typing: ["4962"])
                #expect(run.all.contains(PAMText.systemError), "\(run.all)")
            }
            #expect(try machine.counted() == 0)
        }

        @Test func `steps aside only for accounts proven to hold nothing`()
            throws
        {
            let machine = try Machine()
            try machine.service("mpin", machine.module("ignore_unenrolled"))
            try machine.service("other", "pam_deny.so")
            try Data(
                """
                auth [success=done ignore=ignore default=die] \(machine.module("ignore_unenrolled"))
                auth required pam_permit.so

                """.utf8
            ).write(to: URL(fileURLWithPath: machine.directory + "/pam.d/laptop"))
            try #require(mkdir(machine.store, 0o700) == 0)
            try #require(mkdir(machine.store + "/users", 0o700) == 0)
            #expect(try machine.pam("authenticate", service: "laptop").status == 0)
            try machine.register()
            #expect(try machine.pam("authenticate", service: "laptop", typing: ["4963"]).status != 0)
            #expect(chmod(machine.store, 0o777) == 0)
            #expect(try machine.pam("authenticate", service: "laptop", typing: ["4962"]).status != 0)
        }

        @Test(
            arguments: [
                "nonsense", "timeout=soon", "server=http://localhost", "conf=/nowhere/mpin.conf", "store=relative",
            ])
        func `a wrong option denies`(option: String) throws {
            let machine = try Machine()
            try machine.register()
            let line = "\(Products.module) method=pin conf=\(machine.directory)/mpin.conf"
            try machine.write("store = \(machine.store)\nserver = unix:\(machine.socket)\n", to: "/mpin.conf")
            try machine.service("mpin", line)
            #expect(try machine.pam("authenticate", typing: ["4962"]).status == 0)
            let faulty = option.hasPrefix("conf=") ? Products.module + " " + option : line + " " + option
            try machine.service("mpin", faulty)
            let run = try machine.pam("authenticate", typing: ["4962"])
            #expect(run.all.contains(PAMText.serviceError), "\(run.all)")
        }

        @Test func `the other phases do what they should`() throws {
            let machine = try Machine()
            try machine.register()
            #expect(try machine.pam("setcred").status == 0)
            #expect(try machine.pam("acct_mgmt").status == 0)
            #expect(try machine.pam("open_session", "close_session").status == 0)
            try machine.service("mpin", machine.module("local_services=mpin"))
            let changed = try machine.pam("chauthtok", typing: ["4962", "7385", "7385"])
            #expect(changed.status == 0, "\(changed.all)")
            #expect(try machine.pam("authenticate", typing: ["7385"]).status == 0)
        }

        @Test(.enabled(if: isRoot))
        func `a socket of a strangers is refused`() throws {
            let machine = try Machine()
            try machine.register()
            // Another user listens at the socket path.
            machine.kill()
            unlink(machine.socket)
            #expect(chmod(machine.directory, 0o777) == 0)
            let stranger = Process()
            stranger.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
            stranger.arguments = [
                "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/perl", "-e",
                """
                use IO::Socket::UNIX; $| = 1;
                my $s = IO::Socket::UNIX->new(Type => SOCK_STREAM, Local => $ARGV[0], Listen => 5) or die;
                print "ready\\n"; my $c = $s->accept; my $n = sysread($c, my $b, 1000); print $n ? "got $n\\n" : "got nothing\\n";
                """, machine.socket,
            ]
            let output = Run.pipe()
            stranger.standardOutput = output
            try stranger.run()
            _ = output.fileHandleForReading.availableData
            #expect(chmod(machine.directory, 0o755) == 0)
            let run = try machine.pam("authenticate", typing: ["4962"])
            #expect(run.all.contains(PAMText.unavailable), "\(run.all)")
            stranger.waitUntilExit()
            let seen = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            #expect(seen.contains("got nothing"))
        }
    }
}
