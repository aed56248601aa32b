// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Access numbers and one-time passwords, with the real programs.
    @Suite struct ApprovalTests {
        @Test func `approving signs the waiting session in and out again`() throws {
            let machine = try Machine.enrolled()
            let browser = try WaitingBrowser(at: machine)
            let run = try browser.during { try machine.enroll("approve", browser.number, "--json", pin: "4962") }
            #expect(run.status == 0, "\(run.all)")
            #expect(try run.json()["canLogout"] as? Bool == true)
            let asking = try #require(try run.json()["asking"] as? [String: Any])
            #expect(asking["verified"] as? Bool == false && asking["host"] == nil)
            #expect(run.errors.contains("Requested by: an unverified client"), "\(run.errors)")
            #expect(browser.identity() == "alice")

            // The approving side ends the second session, and the first one remains.
            let second = try WaitingBrowser(at: machine)
            let ended = try second.during {
                try machine.enroll(
                    "approve", second.number, "--then-log-out", "--json", "--pin-file", machine.pinFile("4962"))
            }
            #expect(ended.status == 0, "\(ended.all)")
            #expect(try ended.json()["loggedOut"] as? Bool == true)
            #expect(second.identity() == nil)
            #expect(browser.identity() == "alice")
            #expect(try machine.counted() == 0)
        }

        @Test func `a known host states the purpose of the login`() throws {
            let machine = try Machine.enrolled()
            let added = try machine.administer("host", "add", "gate", "--json")
            let secret = try #require(try added.json()["secret"] as? String)
            let purpose = ["account": "root", "service": "sshd", "address": "192.0.2.7"]
            let known = try WaitingBrowser(at: machine, hostSecret: secret, purpose: purpose)
            let run = try known.during { try machine.enroll("approve", known.number, "--json", pin: "4962") }
            #expect(run.status == 0, "\(run.all)")
            let asking = try #require(try run.json()["asking"] as? [String: Any])
            #expect(asking["verified"] as? Bool == true && asking["host"] as? String == "gate")
            #expect(
                run.errors.contains(
                    "gate (verified by the server)\nService: sshd\nAccount: root\nFrom: 192.0.2.7\n"),
                "\(run.errors)")
            // An unknown host secret proves nothing.
            let stranger = try WaitingBrowser.post(
                "/rps/getAccessNumber", purpose, headers: ["Authorization: Bearer " + String(secret.reversed())],
                to: machine.socket)
            #expect(stranger.status == 401)
        }

        @Test func `a malformed number is refused before the PIN prompt`() throws {
            let machine = try Machine.enrolled()
            let browser = try WaitingBrowser(at: machine)
            let last = browser.number.last == "9" ? "1" : "9"
            let page = "https://mpin.example.org/#" + browser.number
            for text in [
                "", "12x4567", String(browser.number.dropLast()) + last, "#zz", page + "/x", page + "?a=b",
                page + "#1234567",
                "https://mpin.example.org/?a=b#" + browser.number, "1234567#" + browser.number,
            ] {
                // No PIN is given, so a prompt for it would be another failure.
                let run = try machine.enroll("approve", "--json", text)
                #expect(run.status == 65, "\(text): \(run.all)")
                #expect(run.errorCode == "INCORRECT_ACCESS_NUMBER")
            }
            #expect(try browser.poll()["status"] as? String == "new")
        }

        @Test func `a wrong PIN counts, and the number remains valid`() throws {
            let machine = try Machine.enrolled()
            let browser = try WaitingBrowser(at: machine)
            #expect(try machine.enroll("approve", browser.number, "--json", pin: "4963").status == 81)
            #expect(try machine.counted() == 1)
            #expect(["new", "wid", "user"].contains(try browser.poll()["status"] as? String ?? ""))
            browser.wait()
            // With a hyphen, as users write it down, and with the space that does not break, as they copy it from the page.
            let (start, end) = (String(browser.number.prefix(3)), String(browser.number.dropFirst(3)))
            let copied = start.prefix(1) + "-" + start.dropFirst() + "\u{00A0}" + end
            #expect(try machine.enroll("approve", copied, "\u{2009}", pin: "4962").status == 0)
            browser.waitUntilDone()
            #expect(browser.identity() == "alice")
            // It was valid once. The PIN is not asked for: that would be exit 66 here.
            let again = try machine.enroll("approve", browser.number)
            #expect(
                again.status == 65 && again.errors.contains("has no sign-in request with this number"), "\(again.all)")
            #expect(try machine.counted() == 0)
        }

        @Test func `a waiting session that does not answer is reported`() throws {
            let machine = try Machine.enrolled()
            let browser = try WaitingBrowser(at: machine)
            let start = ContinuousClock.now
            let run = try machine.enroll("approve", browser.number, "--json", pin: "4962")
            #expect(run.status == 75 && run.errorCode == "REQUEST_EXPIRED", "\(run.all)")
            // The server waits ten seconds for the session.
            #expect(ContinuousClock.now - start > .seconds(9))
            #expect(try machine.counted() == 0)
        }

        @Test func `a one-time password is valid once`() throws {
            let machine = try Machine.enrolled()
            let run = try machine.enroll("otp", "--json", pin: "4962")
            #expect(run.status == 0, "\(run.all)")
            let otp = try #require(try run.json()["otp"] as? String)
            #expect(otp.count == 6)
            #expect(try run.json()["ttlSeconds"] as? Int ?? 0 > 0)
            let body = ["userId": "alice", "otp": otp]
            #expect(try WaitingBrowser.post("/otp", body, to: machine.socket).status == 200)
            #expect(try WaitingBrowser.post("/otp", body, to: machine.socket).status == 401)

            // Without --json, standard output contains only the digits.
            let plain = try machine.enroll("otp", pin: "4962")
            #expect(plain.output.count == 7 && plain.output.allSatisfy { $0.isNumber || $0 == "\n" }, "\(plain.all)")
            #expect(plain.errors.contains("Valid for"))
            #expect(try machine.enroll("otp", "--json", pin: "4963").status == 81)
            #expect(try machine.counted() == 1)
        }
    }
}
