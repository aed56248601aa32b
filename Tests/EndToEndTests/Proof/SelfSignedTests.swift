// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// A server whose own key signs its TLS certificate. Only the key of an enrollment makes this machine trust it.
    @Suite struct SelfSignedTests {
        private let unknownIssuer = "The issuer of the server's certificate is not trusted."
        private let foreignIssuer = "Neither a trusted CA nor the server's key has signed the certificate."

        @Test func `a code opens the first contact, and the key all later ones`() throws {
            let machine = try Machine()
            var server = try SelfSigned(machine)
            let without = try machine.enroll("register", at: server, pin: "4962")
            #expect(without.status == 69 && without.all.contains(unknownIssuer), "\(without.all)")
            try machine.register(at: server)
            let status = try machine.enroll("status", "--json", at: server).json()
            #expect(status["serverKeySource"] as? String == "invitation", "\(status)")
            #expect(try machine.pam("4962", at: server).all.contains(PAMText.success))
            // Each start makes another key for TLS.
            server = try SelfSigned(machine, port: server.port)
            #expect(try machine.pam("4962", at: server).all.contains(PAMText.success))
            for command in ["test", "devices"] {
                let run = try machine.enroll(command, at: server, pin: "4962")
                #expect(run.status == 0, "\(command): \(run.all)")
            }
            let shown = try machine.enroll("server", options: ["show"], at: server)
            #expect(shown.all.contains("the server has this key"), "\(shown.all)")
            for _ in 1...3 { _ = try machine.enroll("test", at: server, pin: "4963") }
            let recovered = try machine.enroll("recover", "--code", machine.invitation(), at: server, pin: "7385")
            #expect(recovered.status == 0, "\(recovered.all)")
            #expect(try machine.pam("7385", at: server).all.contains(PAMText.success))
        }

        @Test func `a certificate of a trusted CA works beside it`() throws {
            let (machine, middle) = try ManInTheMiddle.withMachine()
            try machine.register(at: middle)
            let server = try SelfSigned(machine)
            #expect(try machine.pam("4962", at: middle).all.contains(PAMText.success))
            try machine.redirect(to: server, from: middle.url)
            #expect(try machine.pam("4962", at: server).all.contains(PAMText.success))
            // Without a certificate, the file of CAs is an error, whatever else is trusted.
            try machine.write("nothing\n", to: "/empty.pem")
            try machine.service("empty", machine.module("ca_file=\(machine.directory)/empty.pem", at: server))
            let login = try machine.pam("authenticate", service: "empty", typing: ["4962"])
            #expect(login.all.contains("The ca_file is unreadable, unsafe or empty"), "\(login.all)")
        }

        @Test func `another server with such a certificate is not trusted`() throws {
            let machine = try Machine(), other = try Machine()
            let server = try SelfSigned(machine)
            try machine.register(at: server)
            machine.kill()
            _ = try SelfSigned(other, port: server.port)
            let login = try machine.pam("4962", at: server)
            #expect(login.all.contains(PAMText.unavailable), "\(login.all)")
            let test = try machine.enroll("test", at: server, pin: "4962")
            #expect(test.status == 69 && test.all.contains(foreignIssuer), "\(test.all)")
            let shown = try machine.enroll("server", options: ["show"], at: server)
            #expect(shown.all.contains("another key"), "\(shown.all)")
            let run = try machine.enroll("recover", "--code", machine.invitation(), at: server, pin: "7385")
            #expect(run.status == 77 && run.all.contains("another server or a proxy may have answered"), "\(run.all)")
        }

        @Test func `a code of a server that was set up again replaces the enrollment`() throws {
            let machine = try Machine()
            var server = try SelfSigned(machine)
            try machine.register(at: server)
            let former = try machine.recordText
            try machine.setUpAnew()
            server = try SelfSigned(machine, port: server.port)
            // Without a code, nothing changes.
            let without = try machine.enroll("recover", at: server, pin: "7385")
            #expect(without.status != 0, "\(without.all)")
            #expect(try machine.recordText == former)
            let test = try machine.enroll("test", at: server, pin: "4962")
            #expect(test.all.contains(foreignIssuer), "\(test.all)")
            let code = try machine.invitation()
            let terminal = try Terminal(Products.enroll, machine.call("recover", "--code", code, at: server))
            terminal.answer("Replace the enrollment with one at this server?", "y")
            terminal.answer("New PIN", "7385")
            terminal.answer("Retype the ", "7385")
            #expect(terminal.end() == 0, "\(terminal.screen)")
            #expect(try machine.pam("7385", at: server).all.contains(PAMText.success))
            let shown = try machine.enroll("server", options: ["show"], at: server)
            #expect(shown.all.contains("the server has this key"), "\(shown.all)")
        }

        @Test func `a recovery needs the key that the configuration names`() throws {
            let machine = try Machine()
            let server = try SelfSigned(machine)
            try machine.register(at: server)
            let (text, before) = ("timeout = 60\nserver = \(server.url)\n", try machine.recordText)
            try machine.write(text + "server_key = \(String(repeating: "3f", count: 32))\n", to: "/mpin.conf")
            let code = try machine.invitation()
            let refused = try machine.enroll("recover", "--code", code, at: server, pin: "7385")
            #expect(refused.status != 0, "\(refused.all)")
            #expect(refused.errors.contains("The expected one is server_key in mpin.conf."), "\(refused.all)")
            #expect(try machine.recordText == before)
            let doctor = try machine.enroll("doctor", at: server)
            #expect(doctor.all.contains("mpin.conf is not the key of \(server.url)"), "\(doctor.all)")
            try machine.write(text, to: "/mpin.conf")
            let run = try machine.enroll("recover", "--code", code, at: server, pin: "7385")
            #expect(run.status == 0, "\(run.all)")
            #expect(try !machine.enroll("doctor", at: server).all.contains("is not the key of"))
        }

        /// What an attacker without a certificate sees and gets who stands between the machine and its server.
        @Test func `a man in the middle of the first contact gets nothing`() throws {
            let machine = try Machine()
            let middle = try ManInTheMiddle(machine, isTrusted: false), other = try Machine()
            let code = try machine.invitation(), unproven = "did not sign its answer"
            // The other server proves a code that it knows, which is not the client's.
            let known = ["codeName": try #require(try CodeName.of(other.invitation()))]
            let attacks: [(String, [String: Any], String)] = [
                // The next connection needs a certificate.
                ("pass", [:], foreignIssuer),
                ("elsewhere", ["socket": other.socket], "another server or a proxy may have answered"),
                (
                    "elsewhere", ["socket": other.socket, "path": "/mpinHello", "request": known],
                    unproven
                ),
                ("body", ["path": "/mpinHello", "change": "flip 20"], unproven),
                ("body", ["path": "/mpinHello", "change": "flip -3"], unproven),
                ("body", ["path": "/mpinHello", "change": "without proof"], unproven),
                ("body", ["path": "/mpinHello", "change": "the tail alone"], "does not follow the protocol"),
                ("replay", ["path": "/mpinHello", "status": 200], unproven),
                ("answer", ["path": "/mpinHello", "status": 404, "body": [String: Any]()], "does not prove its key"),
                ("answer", ["path": "/mpinHello", "status": 200, "body": ["serverKey": "04"]], "does not follow"),
            ]
            for (rule, plan, sentence) in attacks {
                try middle.plan(rule, plan)
                let run = try machine.enroll("register", "--code", code, at: middle, pin: "4962")
                #expect(run.status != 0 && run.all.contains(sentence), "\(rule) \(plan): \(run.all)")
            }
            let exchanges = try middle.exchanges()
            #expect(exchanges.count == attacks.count && exchanges.allSatisfy { $0.target == "/mpinHello" })
            let seen = exchanges.map { $0.request + $0.answer }.joined()
            #expect(!seen.contains(code.filter { $0 != "-" }) && !seen.contains(code))
            // The code is still good.
            try machine.register("--code", code, at: SelfSigned(machine))
        }

        @Test func `a browser trusts the server with a CA certificate that is limited to its host`() throws {
            let machine = try Machine()
            #expect(try machine.administer("config", "browser-ca").status == 67)
            let server = try SelfSigned(machine)
            let printed = try machine.administer("config", "browser-ca")
            try machine.write(printed.output, to: "/ca.pem")
            let text = try Run("/usr/bin/openssl", ["x509", "-in", machine.directory + "/ca.pem", "-noout", "-text"])
            let lines = text.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            let start = try #require(lines.firstIndex(of: "X509v3 Name Constraints: critical"), "\(text.all)")
            let limits = [
                "Permitted:", "DNS:localhost", "Excluded:", "IP:0.0.0.0/0.0.0.0", "IP:0:0:0:0:0:0:0:0/0:0:0:0:0:0:0:0",
            ]
            #expect(Array(lines[(start + 1)...].prefix(5)) == limits)
            #expect(lines.contains("TLS Web Server Authentication"))
            for (file, isTrusted) in [
                (machine.directory + "/ca.pem", true), ("/etc/ssl/certs/ca-certificates.crt", false),
            ] {
                let client = try Run(
                    "/usr/bin/openssl",
                    [
                        "s_client", "-connect", "localhost:\(server.port)", "-verify_hostname", "localhost",
                        "-verify_return_error", "-CAfile", file,
                    ], input: "")
                #expect((client.status == 0) == isTrusted, "\(client.all)")
            }
            // OpenSSL has no constraint that excludes every name of a host.
            _ = try SelfSigned(machine, address: "https://127.0.0.2")
            #expect(try machine.administer("config", "browser-ca").status == 67)
        }

        @Test(arguments: [
            "https://mpin.example.org/x", "https://127.1", "https://2130706433", "https://.", "https://.test",
            "https://a..b",
        ])
        func `a host that no certificate can name is refused`(address: String) throws {
            let machine = try Machine(
                configuration: "public_url = \(address)\nlisten = 127.0.0.1:0\ntls_self_signed = yes\n",
                isServing: false)
            let run = try Run(
                Products.server, ["config", "check", "--dir", machine.directory + "/server"])
            #expect(run.status == 78, "\(run.all)")
        }

        @Test func `a fingerprint opens the first contact too`() throws {
            let machine = try Machine()
            let fingerprint = try machine.fingerprint()
            let server = try SelfSigned(machine, settings: "hold_unverified = yes\n")
            let wrong = String(repeating: "0", count: 64)
            let refused = try machine.enroll("register", "--server-key", wrong, at: server, pin: "4962")
            #expect(refused.status == 69, "\(refused.all)")
            let held = try machine.enroll("register", "--server-key", fingerprint, at: server, pin: "4962")
            #expect(held.all.contains("has not verified"), "\(held.all)")
            let begun = try machine.enroll("status", "--json", at: server).json()
            #expect(begun["serverKeySource"] as? String == "fingerprint", "\(begun)")
        }

        @Test func `an enrollment moves to such an address`() throws {
            let machine = try Machine.enrolled()
            try machine.write("timeout = 60\nserver = \(machine.url)\n", to: "/mpin.conf")
            let server = try SelfSigned(machine)
            let moved = try machine.server("set", server.url)
            #expect(moved.status == 0, "\(moved.all)")
            #expect(try machine.configuredLogin("4962").all.contains(PAMText.success))
        }

        /// Runs `register` without a configured server.
        private func register(_ invitation: String, _ machine: Machine, server: String? = nil) throws -> Run {
            try Run(
                Products.enroll,
                [
                    "register", "--code", invitation, "--store", machine.store, "--user", machine.account,
                    "--identity", "alice", "--config", machine.directory + "/mpin.conf", "--no-input", "--pin-file",
                    "-",
                ] + (server.map { ["--server", $0] } ?? []), input: "4962")
        }

        @Test func `a pasted invitation names the server`() throws {
            let machine = try Machine()
            let server = try SelfSigned(machine), code = try machine.invitation()
            let place = "localhost:\(server.port)"
            let malformed = [
                ("http://\(place)/\(code)", "needs https, not http"),
                ("unix:\(machine.socket)/\(code)", "has no socket in it"),
                ("/\(code)", "The address in this invitation"),
                ("x@\(place)/\(code)", "The address in this invitation"), ("\(place)/", "not a valid code"),
                ("\(place)/\(code)/", "not a valid code"), ("\(place)/\(code.dropLast())", "not a valid code"),
            ]
            for (text, sentence) in malformed {
                let run = try register(text, machine)
                #expect(run.status == 65 && run.errors.contains(sentence), "\(text): \(run.all)")
            }
            for text in [code, "\(place)/\(code)"] {
                let run = try register(code, machine, server: text)
                #expect(run.status == 64 && run.errors.contains("takes only the server's address"), "\(run.all)")
            }
            let others = try register("\(place)/\(machine.invitation(for: "bob"))", machine)
            #expect(
                others.status == 77 && others.errors.contains("did not accept this code for 'alice'"), "\(others.all)")
            let wrongPlace = try register("[::1]:1/\(code)", machine)
            #expect(wrongPlace.status == 69 && wrongPlace.errors.contains("https://[::1]:1"), "\(wrongPlace.all)")
            #expect(!FileManager.default.fileExists(atPath: machine.record))
            let elsewhere = try register("\(place)/\(code)", machine, server: "https://mpin.example.org")
            #expect(elsewhere.status == 78 && elsewhere.errors.contains("is for https://\(place)"), "\(elsewhere.all)")
            let run = try register(" https://\(place) /\n\(code.lowercased())\n", machine)
            #expect(run.status == 0, "\(run.all)")
            #expect(try machine.pam("4962", at: server).all.contains(PAMText.success))
            // It works once.
            try #require(unlink(machine.record) == 0)
            let used = try register("\(place)/\(code)", machine)
            #expect(used.status == 77 && used.errors.contains("did not accept this code"), "\(used.all)")
            // A row of the table that 'invite' prints for several users.
            let row = try register("alice  mpin.invalid/\(machine.invitation())", machine)
            #expect(row.status == 69 && row.errors.contains("the host name mpin.invalid"), "\(row.all)")
            // The server's own host reaches it at its socket.
            let own = try register("\(place)/\(machine.invitation())", machine, server: "unix:" + machine.socket)
            #expect(own.status == 0, "\(own.all)")
        }

        @Test func `a QR code is shown only where a camera can read it`() throws {
            let machine = try Machine()
            func screen(_ settings: String...) throws -> String {
                let command = [Products.server, "invite", "alice", "--dir", machine.directory + "/server"]
                let terminal = try Terminal("/usr/bin/env", settings + command)
                #expect(terminal.end() == 0, "\(terminal.screen)")
                return terminal.screen
            }
            let (shown, locale) = ("\u{1B}[38;5;16;48;5;231m", "LANG=C.UTF-8")
            // No camera needs a code alone.
            #expect(try !screen("TERM=xterm", locale).contains(shown))
            _ = try SelfSigned(machine, address: "https://mpin.example.org")
            let picture = try screen("TERM=xterm", locale)
            #expect(picture.contains(shown) && picture.contains("\u{2580}"), "\(picture)")
            for settings in [
                ["TERM=dumb", locale], ["TERM=xterm", "LANG=C"], ["TERM=xterm", "LC_ALL=POSIX", locale],
                ["TERM=xterm", locale, "COLUMNS=30"], ["TERM=xterm", locale, "LINES=12"],
                ["TERM=xterm", locale, "NO_COLOR=1"],
            ] {
                let command = [Products.server, "invite", "alice", "--dir", machine.directory + "/server"]
                let terminal = try Terminal("/usr/bin/env", settings + command)
                #expect(terminal.end() == 0 && !terminal.screen.contains("\u{2580}"), "\(settings): \(terminal.screen)")
            }
        }

        @Test func `an invitation has the server's address`() throws {
            let machine = try Machine()
            _ = try SelfSigned(machine, address: "https://mpin.example.org:8443")
            let invited = try machine.administer("invite", "alice", "--json").json()
            let code = try #require(invited["code"] as? String)
            #expect(invited["invitation"] as? String == "mpin.example.org:8443/" + code)
        }
    }
}
