// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// `server trust`, and what programs say about a server with another key.
    @Suite struct TrustTests {
        @Test(arguments: Products.modules) func `a server that was set up again`(module: String) throws {
            let machine = try Machine(module: module)
            try machine.register()
            let old = try machine.fingerprint()
            try machine.setUpAnew()
            let key = try machine.fingerprint()
            #expect(key != old)
            let test = try machine.enroll("test", pin: "4962")
            #expect(test.status == 69 && test.errors.contains("has another key than the expected one"), "\(test.all)")
            for command in ["server show", "server set ADDRESS", "server trust FINGERPRINT"] {
                #expect(test.errors.contains("mpin-enroll \(command)"), "\(test.all)")
            }
            #expect(!test.errors.contains("recover"), "\(test.all)")
            #expect(try machine.pam("authenticate", typing: ["4962"]).all.contains(PAMText.unavailable))
            // Nothing was sent that the server could have judged, and no code opens a way around.
            #expect(try !machine.administer("audit").output.contains("\twrong-pin\t"))
            let recover = try machine.enroll("recover", "--code", machine.invitation(), pin: "7385")
            #expect(recover.status == 69, "\(recover.all)")

            let before = try machine.recordText
            let address = ["--server", "unix:" + machine.socket]
            let wrong = try Run(Products.enroll, machine.ofAllAccounts(["trust", old, "--yes"]) + address)
            #expect(wrong.status == 69 && wrong.errors.contains("Its key: \(key)"), "\(wrong.all)")
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
            let machine = try Machine()
            try machine.register()
            try machine.setUpAnew()
            let call = machine.ofAllAccounts(["trust", try machine.fingerprint()]).filter { $0 != "--no-input" }
            let before = try machine.recordText
            let declined = try Terminal(Products.enroll, call)
            #expect(declined.shows("Whoever has the new key decides"), "\(declined.screen)")
            #expect(declined.shows("Did the server's administrator tell you this fingerprint? [y/N]"))
            declined.type("")
            #expect(declined.end() == 130, "\(declined.screen)")
            #expect(try machine.recordText == before)
            let agreed = try Terminal(Products.enroll, call)
            #expect(agreed.shows("[y/N]"), "\(agreed.screen)")
            agreed.type("y")
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
            #expect(servers.first?["presentKey"] as? String == (try machine.fingerprint()))
            #expect(servers.first?["hasKey"] as? Bool == false)
            machine.kill()
            let silent = try machine.enroll("server", options: ["show"])
            #expect(silent.status == 69 && silent.output.contains("serverkey \(key)\n"), "\(silent.all)")
        }

        @Test func `doctor finds the other key`() throws {
            let machine = try Machine()
            try machine.register()
            func doctor() throws -> [[String: Any]] {
                let run = try machine.enroll("doctor", "--json")
                let checks = try #require(run.json()["checks"] as? [[String: Any]])
                return checks.filter { $0["area"] as? String == "server" }
            }
            #expect(try doctor().allSatisfy { $0["grade"] as? String == "ok" }, "\(try doctor())")
            try machine.setUpAnew()
            let fault = try #require(doctor().first { $0["grade"] as? String == "fault" })
            #expect((fault["message"] as? String)?.contains("has another key than enrollments here") == true, "\(fault)")
            #expect((fault["hint"] as? String)?.contains("mpin-enroll server trust FINGERPRINT") == true, "\(fault)")
        }

        @Test func `an enrollment at the server with a named key`() throws {
            let machine = try Machine(), other = try Machine()
            let key = try machine.fingerprint()
            try machine.write("hold_unverified = no\n", to: "/server/server.conf")
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
                right.output.contains("The server's key, proven by the code of the enrollment: \(key)\n"),
                "\(right.all)")
        }

        @Test func `status and list show the key of an enrollment over TLS`() throws {
            let machine = try Machine()
            try machine.write("allow_without_code = yes\n", to: "/server/server.conf")
            let middle = try ManInTheMiddle(machine)
            let key = try machine.fingerprint()
            let run = try machine.enroll("register", "--code", machine.invitation(), through: middle, pin: "4962")
            #expect(run.status == 0, "\(run.all)")
            let status = try machine.enroll("status", through: middle).output
            #expect(status.contains("serverkey \(key)\n          proven by the code of the enrollment\n"), "\(status)")
        }
    }
}
