// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// `server trust`, and what programs say about a server with another key.
    @Suite struct TrustTests {
        @Test func `a server that was set up again`() throws {
            let machine = try Machine.enrolled()
            let old = try machine.fingerprint()
            try machine.setUpAnew()
            let key = try machine.fingerprint()
            #expect(key != old)
            // Another key has signed the answer.
            let test = try machine.enroll("test", pin: "4962")
            #expect(test.status == 69 && test.errors.contains("did not sign its answer"), "\(test.all)")
            #expect(test.errors.contains("mpin-enroll server show") && !test.errors.contains("recover"))
            let show = try machine.enroll("server", options: ["show", "--json"])
            let advice = try #require(show.json()["hint"] as? String)
            #expect(show.status == 69 && advice.contains("This may be an attack"), "\(show.all)")
            for command in ["server set ADDRESS", "server trust FINGERPRINT"] {
                #expect(advice.contains("mpin-enroll \(command)"), "\(show.all)")
            }
            #expect(!advice.contains(key), "\(advice)")
            #expect(try machine.pam("authenticate", typing: ["4962"]).all.contains(PAMText.unavailable))
            // Nothing was sent that the server could have judged. Without a code, nothing proves the key.
            #expect(try !machine.administer("audit").output.contains("\twrong-pin\t"))
            let recover = try machine.enroll("recover", pin: "7385")
            #expect(recover.status == 69, "\(recover.all)")
            let remove = try machine.enroll("remove", "--yes", pin: "4962")
            #expect(remove.status == 69 && remove.errors.contains("remove --local-only"), "\(remove.all)")

            let before = try machine.recordText
            let address = ["--server", "unix:" + machine.socket]
            let wrong = try Run(Products.enroll, machine.ofAllAccounts(["trust", old, "--yes"]) + address)
            #expect(wrong.status == 69 && wrong.errors.contains("This may be an attack"), "\(wrong.all)")
            #expect(!wrong.all.contains(key), "\(wrong.all)")
            let unconfirmed = try Run(Products.enroll, machine.ofAllAccounts(["trust", key]) + address)
            #expect(unconfirmed.status == 66 && unconfirmed.errors.contains("--yes"), "\(unconfirmed.all)")
            for text in ["", "abc", String(key.dropLast()), key + "0"] {
                let malformed = try machine.server("trust", text, "--yes")
                #expect(malformed.status == 64, "\(malformed.all)")
            }
            #expect(try machine.recordText == before)

            // With one server, its address need not be named. The fingerprint may be written in other ways.
            let typed = key.uppercased().replacing("-", with: ":")
            let trust = try machine.server("trust", typed, "--yes")
            #expect(trust.status == 0 && trust.output.contains("now belongs to this key"), "\(trust.all)")
            let again = try machine.server("trust", key)
            #expect(again.status == 0 && again.output.contains("already belonged to this key"), "\(again.all)")
            let status = try machine.enroll("status", "--json").json()
            #expect(status["serverKey"] as? String == key && status["serverKeySource"] as? String == "fingerprint")
            let unknown = try machine.enroll("test", pin: "4962")
            #expect(unknown.status == 84 && unknown.errors.contains("mpin-enroll recover"), "\(unknown.all)")
            let recovered = try machine.enroll("recover", "--code", machine.invitation(), pin: "7385")
            #expect(recovered.status == 0, "\(recovered.all)")
            #expect(try machine.pam("authenticate", typing: ["7385"]).all.contains(PAMText.success))
        }

        @Test func `the question at a terminal`() throws {
            let machine = try Machine.enrolled()
            try machine.setUpAnew()
            let call = machine.ofAllAccounts(["trust", try machine.fingerprint()]).filter { $0 != "--no-input" }
            let before = try machine.recordText
            let declined = try Terminal(Products.enroll, call)
            #expect(declined.shows("The holder of the new key decides"), "\(declined.screen)")
            declined.answer("Did the server's administrator tell you this fingerprint? [y/N]", "")
            #expect(declined.end() == 130, "\(declined.screen)")
            #expect(try machine.recordText == before)
            let agreed = try Terminal(Products.enroll, call)
            agreed.answer("[y/N]", "y")
            #expect(agreed.end() == 0, "\(agreed.screen)")
            #expect(try machine.recordText != before)
        }

        @Test func `show tells which key the server has`() throws {
            let machine = try Machine()
            let key = try machine.fingerprint()
            // Without an enrollment, the configured server is asked.
            let first = try machine.enroll("server", options: ["show"])
            #expect(first.status == 0 && first.output.contains(key), "\(first.all)")
            try machine.register()
            let right = try machine.enroll("server", options: ["show"])
            #expect(right.status == 0 && right.output.contains("serverkey \(key)\n"), "\(right.all)")
            #expect(right.output.contains("          proven by the code of the enrollment\n"), "\(right.all)")
            #expect(right.output.contains("now       the server has this key\n"), "\(right.all)")
            try machine.setUpAnew()
            let other = try machine.enroll("server", options: ["show", "--json"])
            let servers = try #require(other.json()["servers"] as? [[String: Any]])
            #expect(other.status == 69 && servers.count == 1, "\(other.all)")
            #expect(servers.first?["serverKey"] as? String == key)
            let present = try machine.fingerprint()
            #expect(servers.first?["presentKey"] as? String == present)
            #expect(servers.first?["hasKey"] as? Bool == false)
            machine.kill()
            let silent = try machine.enroll("server", options: ["show"])
            #expect(silent.status == 69 && silent.output.contains("serverkey \(key)\n"), "\(silent.all)")
        }

        @Test func `doctor finds the other key`() throws {
            let machine = try Machine.enrolled()
            func doctor() throws -> [[String: Any]] {
                let run = try machine.enroll("doctor", "--json")
                let checks = try #require(run.json()["checks"] as? [[String: Any]])
                return checks.filter { $0["area"] as? String == "server" }
            }
            let healthy = try doctor()
            #expect(healthy.allSatisfy { $0["grade"] as? String == "ok" }, "\(healthy)")
            try machine.setUpAnew()
            let fault = try #require(doctor().first { $0["grade"] as? String == "fault" })
            #expect(
                (fault["message"] as? String)?.contains("has another key than enrollments here") == true, "\(fault)")
            let key = try machine.fingerprint()
            #expect(!fault.values.contains { ($0 as? String)?.contains(key) == true }, "\(fault)")
            #expect((fault["hint"] as? String)?.contains("mpin-enroll server trust FINGERPRINT") == true, "\(fault)")
        }

        @Test func `an enrollment at the server with a named key`() throws {
            let machine = try Machine(), other = try Machine()
            let key = try machine.fingerprint()
            let code = try machine.invitation()
            let malformed = try machine.enroll("register", "--code", code, "--server-key", "12", pin: "4962")
            #expect(malformed.status == 64 && malformed.errors.contains("64 hexadecimal digits"), "\(malformed.all)")
            let wrong = try machine.enroll(
                "register", "--code", code, "--server-key", other.fingerprint(), pin: "4962")
            #expect(wrong.status == 69 && wrong.errors.contains("has another key than the expected"), "\(wrong.all)")
            #expect(wrong.errors.contains("mpin-enroll server show"), "\(wrong.all)")
            #expect(try machine.enroll("status").output.contains("not enrolled"))
            let right = try machine.enroll("register", "--code", code, "--server-key", key, pin: "4962")
            #expect(right.status == 0, "\(right.all)")
            #expect(
                right.output.contains("The server's key, proven by the code of the enrollment: \(key.prefix(17))\n"),
                "\(right.all)")
            // The short form recognizes a key. It does not select one.
            let short = try machine.enroll("register", "--server-key", String(key.prefix(17)), pin: "4962")
            #expect(short.status == 64 && short.errors.contains("64 hexadecimal digits"), "\(short.all)")
            let status = try machine.enroll("status").output
            #expect(status.contains("serverkey \(key.prefix(17)), proven by") && !status.contains(key), "\(status)")
        }

        @Test(.enabled(if: MailboxPeer.isAvailable)) func `an enrollment for which only TLS vouched`() async throws {
            let mails = try MailboxPeer()
            let (machine, middle) = try ManInTheMiddle.withMachine()
            let lines = [
                "public_url = \(middle.url)", "verify = mail", "mail_from = login@example.org",
                "smtp_url = smtp://127.0.0.1:\(mails.port)",
            ]
            try machine.write(lines.joined(separator: "\n") + "\n", to: "/server/server.conf")
            try machine.restart()
            let key = try machine.fingerprint()
            for (name, options, isTLS) in [("erin", [], true), ("frank", ["--server-key", key], false)] {
                let identity = name + "@example.org"
                func call(_ command: String, _ more: [String], pin: String? = nil) throws -> Run {
                    try machine.enroll(command, options: more, at: middle, pin: pin, identity: identity)
                }
                #expect(try call("register", options, pin: "4962").status == 80)
                let code = try await mails.code(for: identity)
                let run = try call("register", options + ["--application-code", "--code", code], pin: "4962")
                #expect(run.status == 0, "\(run.all)")
                #expect(run.output.contains(": \(key.prefix(17))\n"), "\(run.all)")
                #expect(run.output.contains("Only the certificate vouched for it. Compare the whole") == isTLS)
                let status = try call("status", ["--json"]).json()
                #expect(status["serverKey"] as? String == key, "\(status)")
                #expect(status["serverKeySource"] as? String == (isTLS ? "tls" : "fingerprint"), "\(status)")
                let text = try call("status", []).output
                #expect(text.contains(isTLS ? "from TLS alone\n" : "confirmed by its fingerprint\n"), "\(text)")
            }
        }

        @Test func `a wrong share is no wrong PIN`() throws {
            let (machine, middle) = try ManInTheMiddle.withMachine()
            try machine.register(at: middle, pin: "7385", identity: "bob")
            // The share of another identity is a point like any other.
            try middle.plan("replay", ["path": "/dta/clientSecret", "status": 200])
            let run = try machine.enroll(
                "register", "--json", "--code", machine.invitation(), at: middle, pin: "4962")
            #expect(run.status == 76 && run.errorCode == "WRONG_SHARE", "\(run.all)")
            #expect(run.output.contains("a share of the secret was wrong, not the PIN"), "\(run.all)")
            try middle.plan("pass")
            let recover = try machine.enroll("recover", "--code", machine.invitation(), at: middle, pin: "4962")
            #expect(recover.status == 0, "\(recover.all)")
            #expect(try machine.enroll("test", at: middle, pin: "4962").status == 0)
            // In a recovery, the old enrollment stays in use.
            try middle.plan("replay", ["path": "/dta/clientSecret", "status": 200])
            let second = try machine.enroll("recover", "--code", machine.invitation(), at: middle, pin: "7385")
            #expect(second.status == 76 && second.errors.contains("recover --start-over"), "\(second.all)")
            #expect(try machine.enroll("test", at: middle, pin: "4962").status == 0)
        }
    }
}
