// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Enrollment by mail with the program people use, and the page behind the link in a real browser.
    @Suite(.enabled(if: WebDriver.isAvailable && MailboxPeer.isAvailable)) struct MailPageTests {
        @Test func `a link or a code enrolls a device`() async throws {
            let mails = try MailboxPeer()
            let machine = try BrowserMachine(
                "verify = mail", "smtp_url = smtp://127.0.0.1:\(mails.port)", "mail_from = login@example.org",
                "service_name = Example")
            let (carol, dave) = ("carol@example.org", "dave@example.org")

            let begun = try machine.register(carol)
            #expect(begun.status == 80, "\(begun.output)")
            let link = try #require(await mails.mail(to: carol).first { $0.contains("/mpinActivate?t=") })
            #expect(link.hasPrefix(machine.url + "/mpinActivate?t="))
            for (width, isDark) in [(320, true), (1_000, false)] {
                let browser = try await Browser(WebDriver(), width: width, isDark: isDark)
                try await browser.open(link)
                let text = try await browser.run("return document.body.innerText") as? String ?? ""
                #expect(text.contains("Is this you?") && text.contains(carol) && text.contains("Example"))
                let fits = "return document.documentElement.scrollWidth <= \(width)"
                #expect(try await browser.run(fits) as? Bool == true)
                if let directory = ProcessInfo.processInfo.environment["MPIN_SCREENSHOTS"] {
                    try await browser.screenshot().write(to: URL(fileURLWithPath: "\(directory)/mail-\(width).png"))
                }
                if width == 1_000 {
                    // Looking at it has changed nothing.
                    #expect(try machine.register(carol).status == 80)
                    try await browser.press(Key.tab, Key.enter)
                    try await browser.wait(for: "document.body.innerText.includes('Confirmed')")
                }
                #expect(try await browser.complaints().isEmpty)
                if width == 1_000 {
                    try await browser.open(link)
                    try await browser.wait(for: "document.body.innerText.includes('Already confirmed')")
                }
                await browser.close()
            }
            let finished = try machine.register(carol)
            #expect(finished.status == 0, "\(finished.output)")

            #expect(try machine.register(dave).status == 80)
            let code = try await mails.code(for: dave)
            let wrong = try machine.register(dave, code: code.hasPrefix("000") ? "111111" : "000000")
            #expect(wrong.status == 77 && wrong.errorCode == "IDENTITY_NOT_AUTHORIZED", "\(wrong.output)")
            let typed = try machine.register(dave, code: code)
            #expect(typed.status == 0, "\(typed.output)")
        }
    }
}
