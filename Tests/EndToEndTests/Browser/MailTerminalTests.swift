// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Registration by mail for a user at a terminal.
    @Suite(.enabled(if: MailboxPeer.isAvailable)) struct MailTerminalTests {
        @Test func `a terminal waits for the mailed code`() async throws {
            let mails = try MailboxPeer()
            let machine = try Machine()
            let lines = [
                "public_url = https://login.example.org", "verify = mail", "mail_from = login@example.org",
                "smtp_url = smtp://127.0.0.1:\(mails.port)",
            ]
            try machine.write(lines.joined(separator: "\n") + "\n", to: "/server/server.conf")
            try machine.restart()
            let erin = "erin@example.org"
            let call = [
                "register", "--server", "unix:" + machine.socket, "--store", machine.store, "--user", machine.account,
                "--identity", erin, "--config", machine.directory + "/mpin.conf",
            ]
            let first = try Terminal(Products.enroll, call)
            first.answer("Invitation or backup code", "")
            #expect(first.shows("has not verified \(erin)"), "\(first.screen)")
            first.answer("r to send another mail", "")
            #expect(first.shows("has not verified \(erin)"), "\(first.screen)")
            // It is too early for another mail, and the input is not a code.
            first.type("r")
            #expect(first.shows("before the next try"), "\(first.screen)")
            // What cannot be the code may be a PIN, and is not sent.
            first.type("4962")
            first.answer("This is not a valid code.", "999999")
            first.answer("it is not valid, or it has expired", "q")
            #expect(first.end() == 80, "\(first.screen)")

            // The server reports when the next mail is possible. A registration that does not wait needs no mail.
            let early = try Run(Products.enroll, ["resend"] + call.dropFirst() + ["--no-input"])
            #expect(early.status == 75, "\(early.all)")
            #expect(early.errors.contains("The next one is possible in ") && early.errors.contains(" seconds, at 20"))

            // Later, the registration continues with the code of the first mail.
            let code = try await mails.code(for: erin)
            let second = try Terminal(Products.enroll, call)
            second.answer("Invitation or backup code", "")
            second.answer("r to send another mail", code)
            second.answer("New PIN", "4962")
            second.answer("Retype the ", "4962")
            #expect(second.end() == 0, "\(second.screen)")
            #expect(try machine.enroll("test", pin: "4962", identity: erin).status == 0)
            let needless = try Run(Products.enroll, ["resend"] + call.dropFirst() + ["--no-input"])
            #expect(needless.status == 79, "\(needless.all)")
        }
    }
}
