import Foundation
import Testing

extension EndToEnd {
    /// What is known before somebody types a PIN for a session that waits elsewhere.
    @Suite struct ApprovalOrderTests {
        @Test func anUnknownNumberIsSaidSoBeforeThePIN() throws {
            let machine = try Machine()
            try machine.register()
            let browser = try WaitingBrowser(at: machine)
            browser.wait()
            #expect(try machine.enroll("approve", browser.number, pin: "4962").status == 0)
            browser.waitUntilDone()
            // It was good for once. Nobody is asked: that would be exit 66 here.
            let run = try machine.enroll("approve", browser.number)
            #expect(run.status == 65, "\(run.all)")
            #expect(run.errors.contains("knows no session with this number"), "\(run.errors)")
            #expect(try machine.counted() == 0)
        }

        @Test func thePageShowsWhoIsAboutToSignIn() throws {
            let machine = try Machine()
            try machine.register()
            let browser = try WaitingBrowser(at: machine)
            let terminal = try Terminal(Products.enroll, machine.call("approve", browser.number))
            #expect(terminal.shows("PIN for alice"), "\(terminal.screen)")
            let state = try browser.poll()
            #expect(state["status"] as? String == "user" && state["userId"] as? String == "alice", "\(state)")
            browser.wait()
            terminal.type("4962")
            #expect(terminal.end() == 0, "\(terminal.screen)")
            browser.waitUntilDone()
            #expect(browser.identity() == "alice")
        }

        @Test(arguments: ["approve", "test", "otp", "change-pin"]) func theRevokedTypeNothingInVain(command: String)
            throws
        {
            let machine = try Machine()
            try machine.register()
            try #require(try machine.administer("user", "revoke", "alice", "--reason", "laptop lost").status == 0)
            // Learnt at the first contact; after that it is asked again, because it may have been taken back.
            if command != "approve" { #expect(try machine.enroll("test", pin: "4962").status == 83) }
            let browser = try WaitingBrowser(at: machine)
            let number = command == "approve" ? [browser.number] : []
            let terminal = try Terminal(Products.enroll, machine.call(command) + number)
            #expect(terminal.end() == 83, "\(terminal.screen)")
            #expect(terminal.screen.contains("has revoked the registration of alice"), "\(terminal.screen)")
            #expect(!terminal.screen.contains("PIN for"), "\(terminal.screen)")

            try #require(try machine.administer("user", "restore", "alice").status == 0)
            #expect(try machine.enroll("test", pin: "4962").status == 0)
        }
    }
}
