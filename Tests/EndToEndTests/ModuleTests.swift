// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The built module under the real libpam.
    @Suite struct ModuleTests {
        @Test func `nothing is sent for invalid PINs`() throws {
            let machine = try Machine.enrolled()
            for typed in ["", "12", "49621", "496a", String(repeating: "4", count: 600), "\u{8}\n\r\u{7f}INCORRECT"] {
                let run = try machine.pam("authenticate", typing: [typed])
                #expect(run.all.contains(PAMText.authError), "\(run.all)")
            }
            #expect(try machine.counted() == 0)
            let eof = try Run(
                "/usr/bin/pamtester", ["mpin", machine.account, "authenticate"],
                environment: PAMText.wrapper(machine.directory + "/pam.d"))
            #expect(eof.status != 0 && eof.status < 128)
            #expect(try machine.counted() == 0)
        }

        @Test func `steps aside only for accounts proven to hold nothing`() throws {
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
            let machine = try Machine.enrolled()
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
            let machine = try Machine.enrolled()
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
            let machine = try Machine.enrolled()
            // Another user listens at the socket path.
            machine.kill()
            unlink(machine.socket)
            #expect(chmod(machine.directory, 0o777) == 0)
            let stranger = try Background(
                Launcher.nobody + [
                    "/usr/bin/perl", "-e",
                    """
                    use IO::Socket::UNIX; $| = 1;
                    my $s = IO::Socket::UNIX->new(Type => SOCK_STREAM, Local => $ARGV[0], Listen => 5) or die;
                    print "ready\\n"; my $c = $s->accept; my $n = sysread($c, my $b, 1000); print $n ? "got $n\\n" : "got nothing\\n";
                    """, machine.socket,
                ])
            try stranger.requireLine("ready")
            #expect(chmod(machine.directory, 0o755) == 0)
            let run = try machine.pam("authenticate", typing: ["4962"])
            #expect(run.all.contains(PAMText.unavailable), "\(run.all)")
            let seen = stranger.end()
            #expect(seen.contains("got nothing"))
        }
    }
}
