// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// `doctor` on machines that are broken in one place each, and on one that is not.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct DoctorTests {
        struct Fault: Sendable {
            let name: String
            /// Doctor's message about it.
            let sentence: String
            /// The sign of it in JSON.
            var grade = "fault"
            let make: @Sendable (SpareMachine) throws -> Void

            init(
                _ name: String, _ sentence: String, _ grade: String = "fault",
                _ make: @escaping @Sendable (SpareMachine) throws -> Void
            ) {
                (self.name, self.sentence, self.grade, self.make) = (name, sentence, grade, make)
            }
        }

        private static let stack = "@include common-auth\n@include common-account\n"

        /// Writes the service's file, with M-Pin's line above the password or below it.
        private static func sudo(_ spare: SpareMachine, _ line: String, isBelow: Bool = false) throws {
            let account = "@include common-account\n"
            try spare.put(
                isBelow ? "@include common-auth\n\(line)\n\(account)" : "\(line)\n@include common-auth\n\(account)",
                at: "/etc/pam.d/sudo")
        }

        static let faults: [Fault] = [
            Fault("a mistyped key", "mpin.conf line 3: unknown key 'timeot'") {
                try $0.append("timeot = 3\n", to: "/etc/mpin/mpin.conf")
            },
            Fault("a configuration that all users may write", "/etc/mpin/mpin.conf is open to other users") {
                try $0.put($0.read("/etc/mpin/mpin.conf"), at: "/etc/mpin/mpin.conf", mode: 0o666)
            },
            Fault("an open store", "/store can be read or changed by other users.") {
                try #require(chmod($0.machine.store, 0o755) == 0)
            },
            Fault("an open token", "\(SpareMachine.account).json can be read or changed by other users.") {
                try #require(chmod($0.machine.store + "/users/\(SpareMachine.account).json", 0o644) == 0)
            },
            Fault("a copy of a token", ".json.copy is readable by other users") {
                let path = $0.machine.store + "/users/\(SpareMachine.account).json"
                try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
                try #require(chmod(path + ".copy", 0o644) == 0)
            },
            Fault("a damaged token", "is damaged and cannot be read") {
                let path = $0.machine.store + "/users/\(SpareMachine.account).json"
                try #require(truncate(path, 40) == 0)
            },
            Fault("a locked password", "The password of mpintest is locked, but the PIN still works.", "warning") {
                try #require(try $0.run(["/usr/sbin/usermod", "-L", SpareMachine.account]).status == 0)
            },
            Fault("a server that does not run", "s.sock refused the connection") { $0.machine.kill() },
            Fault("a socket of another user", "is served by the account 'mpintest'") {
                $0.machine.kill()
                try $0.listenAsAccount()
            },
            Fault("a blocked enrollment", "is blocked after too many wrong PINs") {
                try $0.block()
            },
            Fault("an account that is gone", "is no longer an account on this machine", "warning") {
                let kept = try $0.read("/etc/passwd").split(separator: "\n").filter {
                    !$0.hasPrefix(SpareMachine.account)
                }
                try $0.put(kept.joined(separator: "\n") + "\n", at: "/etc/passwd")
            },
            Fault("a module that is not there", "pam_mpin.so is missing, but PAM stacks use it") {
                try #require(unlink($0.place($0.module)) == 0)
            },
            Fault("a module that is cut off", "cannot be loaded: it is truncated") {
                try #require(truncate($0.place($0.module), 100_000) == 0)
            },
            Fault("a module that all users may write", "is writable by users other than root") {
                try #require(chmod($0.place($0.module), 0o666) == 0)
            },
            Fault("a mistyped argument", "sudo line 1: argument 1: unknown option") {
                try sudo($0, "auth sufficient pam_mpin.so tires=2")
            },
            Fault("a stack that lets no user in", "No user can log in through sudo") {
                try sudo($0, "auth required pam_mpin.so\nauth required pam_deny.so")
            },
            Fault("a stack that lets all users in", "sudo lets users in without a password.") {
                try $0.put(
                    "auth sufficient pam_mpin.so\nauth required pam_permit.so\n@include common-account\n",
                    at: "/etc/pam.d/sudo")
            },
            Fault("a file that includes one that is not there", "PAM cannot read the files of sudo") {
                try sudo($0, "auth sufficient pam_mpin.so\n@include nothere")
            },
            Fault("a PIN whose result is ignored", "asks for the PIN but ignores the result") {
                try sudo($0, "auth [success=ok default=ignore] pam_mpin.so", isBelow: true)
            },
            Fault("no login without the server", "refuses every login while the server is unreachable", "warning") {
                try sudo($0, "auth [success=ok default=die] pam_mpin.so", isBelow: true)
            },
            Fault("a second factor that may be away", "skips the PIN while the server is unreachable", "warning") {
                try sudo($0, "auth [success=ok authinfo_unavail=ignore default=die] pam_mpin.so", isBelow: true)
            },
            Fault("a PIN past a lock", "Accounts locked by pam_faillock can still log in", "warning") {
                try sudo($0, "auth sufficient pam_mpin.so\nauth required pam_faillock.so preauth")
            },
            Fault("a PIN that no user can type", "it requires a PIN, but M-Pin asks for none over the network") {
                try $0.put("auth required pam_mpin.so\n\(stack)", at: "/etc/pam.d/sshd")
            },
            Fault("a PIN over the network", "accepts a PIN alone over the network", "warning") {
                try $0.put("auth sufficient pam_mpin.so method=pin\n\(stack)", at: "/etc/pam.d/sshd")
            },
            Fault("an agent whose directory belongs to another user", "is writable by users other than root") {
                try $0.append("agent = \($0.machine.directory)/agent/agent.sock\n", to: "/etc/mpin/mpin.conf")
                try #require(mkdir($0.machine.directory + "/agent", 0o777) == 0)
                try #require(chmod($0.machine.directory + "/agent", 0o777) == 0)
                try Data().write(to: URL(fileURLWithPath: $0.machine.directory + "/agent/agent.sock"))
            },
            Fault("an agent that does not answer", "The agent does not answer at") {
                try $0.append("agent = \($0.machine.directory)/agent.sock\n", to: "/etc/mpin/mpin.conf")
                try $0.machine.write("", to: "/agent.sock")
            },
        ]

        /// It still answers, but no login can be stored.
        @Test func `a server with a problem is named`() throws {
            let spare = try SpareMachine()
            let directory = spare.machine.directory
            try #require(mkdir(directory + "/run", 0o755) == 0)
            try spare.machine.write("status_socket = \(directory)/run/status.sock\n", to: "/server/server.conf")
            try spare.machine.restart()
            let script = "mount -t tmpfs tmpfs /run && mkdir /run/mpin && mount --bind \(directory)/run /run/mpin && "
            let sentence = "The server on this machine reports a problem"
            let before = try spare.run(["/bin/sh", "-c", script + "exec \(Products.enroll) doctor"])
            #expect(!before.output.contains(sentence), "\(before.all)")
            let database = directory + "/server/state/mpin.sqlite"
            try #require(
                Run("/bin/sh", ["-c", "cp \(database) \(database).x && mv \(database).x \(database)"]).status == 0)
            let after = try spare.run(["/bin/sh", "-c", script + "exec \(Products.enroll) doctor"])
            #expect(after.output.contains(sentence) && after.status != 0, "\(after.all)")
        }

        static func examined(_ spare: SpareMachine, _ more: String...) throws -> (Run, [[String: Any]]) {
            let run = try spare.run([Products.enroll, "doctor", "--json"] + more)
            return (run, try #require(try run.json()["checks"] as? [[String: Any]], "\(run.all)"))
        }

        static func healthy() throws -> SpareMachine {
            let spare = try SpareMachine()
            try #require(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            return spare
        }

        @Test func `a machine in order gets no remark`() throws {
            let spare = try Self.healthy()
            let (run, checks) = try Self.examined(spare)
            #expect(run.status == 0, "\(run.all)")
            #expect(checks.allSatisfy { $0["grade"] as? String == "ok" }, "\(run.all)")
            #expect(Set(checks.compactMap { $0["area"] as? String }).count == 7, "\(run.all)")
            #expect(try spare.enroll("doctor").output.hasSuffix("No fault was found.\n"))
            #expect(try Self.examined(spare, "--fix").1.count == checks.count)
        }

        @Test(arguments: faults.indices)
        func `each problem is named, with its fix`(number: Int) throws {
            let fault = Self.faults[number]
            let spare = try Self.healthy()
            try fault.make(spare)
            let (run, checks) = try Self.examined(spare)
            let found = checks.filter { ($0["message"] as? String ?? "").contains(fault.sentence) }
            #expect(found.count == 1, "\(fault.name): \(run.all)")
            #expect(found.first?["grade"] as? String == fault.grade, "\(fault.name): \(run.all)")
            #expect((found.first?["hint"] as? String ?? "").count > 10, "\(fault.name): \(run.all)")
            #expect(run.status == (fault.grade == "fault" ? 1 : 0), "\(fault.name): \(run.all)")
            // It is not covered by other remarks.
            let remarks = checks.filter { $0["grade"] as? String != "ok" }
            #expect(remarks.count <= 3, "\(fault.name): \(run.all)")
        }

        @Test func `users other than root learn what is unchecked`() throws {
            let spare = try Self.healthy()
            let run = try spare.run(Launcher.nobody + [Products.enroll, "doctor"])
            #expect(run.status == 0 && run.output.contains("store may not be read by this user"), "\(run.all)")
            #expect(run.output.contains("sudo mpin-enroll doctor"), "\(run.all)")
            #expect(run.output.contains("sudo asks for the PIN instead of the password."), "\(run.all)")
            #expect(run.output.hasSuffix("Incomplete: 2 parts could not be checked.\n"), "\(run.all)")
        }

        @Test func `an unreadable part is not reported as in order`() throws {
            let spare = try Self.healthy()
            try Self.faults.first { $0.name == "a blocked enrollment" }?.make(spare)
            let run = try spare.run(Launcher.user(63_999) + [Products.enroll, "doctor"])
            #expect(!run.output.contains("No fault was found"), "\(run.all)")
            #expect(run.output.contains("Incomplete: ") && run.output.contains("sudo mpin-enroll doctor"), "\(run.all)")
        }

        @Test func `certificates that run out, and clocks that differ, are named`() throws {
            let spare = try Self.healthy()
            let past = ["200101000000Z", "200102000000Z"]
            for (dates, sentence) in [(past, "expired at 2020-01-02"), (nil, "expires in")] {
                let peer = try TLSTests.Peer(spare.machine, name: "d\(dates == nil)", dates: dates)
                try spare.use(port: peer.port, certificate: peer.certificate)
                let run = try spare.enroll("doctor")
                #expect(run.output.contains(sentence) && !run.output.contains("clock is"), "\(run.all)")
                guard dates == nil else { continue }
                let late = try spare.serveLate(certificate: peer.certificate)
                try spare.use(port: late, certificate: peer.certificate)
                let other = try spare.enroll("doctor")
                #expect(other.output.contains("seconds ahead of that of https://localhost"), "\(other.all)")
            }
        }
    }
}

extension SpareMachine {
    /// Has logins go to a TLS server.
    func use(port: Int, certificate: String) throws {
        try put(
            "server = https://localhost:\(port)\nca_file = \(certificate)\nstore = \(machine.store)\ntimeout = 60\n",
            at: "/etc/mpin/mpin.conf")
    }

    /// Passes everything on to the server like the peer of that certificate, with the date of another day.
    ///
    /// - Returns: its port.
    func serveLate(certificate: String) throws -> Int {
        let process = try Background([
            "/usr/bin/python3", "-c",
            #"""
            import re, socket, ssl, sys
            certificate, path = sys.argv[1:]
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, certificate[:-4] + ".key")
            listener = socket.create_server(("127.0.0.1", 0))
            print(listener.getsockname()[1], flush=True)
            while True:
                plain, _ = listener.accept()
                try:
                    peer = context.wrap_socket(plain, server_side=True)
                    request = peer.recv(65536)
                    server = socket.socket(socket.AF_UNIX)
                    server.connect(path)
                    server.sendall(request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1))
                    answer = b""
                    while part := server.recv(65536):
                        answer += part
                    peer.sendall(re.sub(rb"(?i)\ndate: [^\r]*", b"\nDate: Mon, 01 Jun 2020 10:00:00 GMT", answer, count=1))
                    peer.close()
                except OSError:
                    plain.close()
            """#, certificate, machine.socket,
        ])
        strangers.append(process)
        return try #require(Int(process.line()))
    }

    /// Has the account listen where the server did.
    func listenAsAccount() throws {
        unlink(machine.socket)
        try #require(chmod(machine.directory, 0o777) == 0)
        let stranger = try Background(
            Launcher.user(63_999) + [
                "/usr/bin/perl", "-e",
                """
                use IO::Socket::UNIX; $| = 1;
                my $s = IO::Socket::UNIX->new(Type => SOCK_STREAM, Local => $ARGV[0], Listen => 5) or die;
                print "ready\\n"; alarm 600; while (my $c = $s->accept) { close $c }
                """, machine.socket,
            ])
        try stranger.requireLine("ready")
        try #require(chmod(machine.directory, 0o755) == 0)
        strangers.append(stranger)
    }
}
