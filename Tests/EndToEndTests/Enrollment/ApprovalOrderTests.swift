// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

extension EndToEnd {
    /// Checks before the user types a PIN for a cross-device session.
    @Suite struct ApprovalOrderTests {
        @Test func `the page shows the identity that is about to sign in`() throws {
            let machine = try Machine.enrolled()
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

        @Test func `a session whose details were changed on the way is not signed in`() throws {
            let machine = try Machine()
            let isForged = Mutex(false)
            let relay = try CountingRelay(
                machine,
                forging: { path, body in
                    guard path == "/rps/codeStatus", isForged.withLock({ $0 }) else { return body }
                    return body.replacing("\"address\":\"", with: "\"address\":\"the desk next to ")
                })
            try machine.register(at: relay)
            for isChanged in [false, true] {
                isForged.withLock { $0 = isChanged }
                let browser = try WaitingBrowser(at: machine)
                browser.wait(seconds: isChanged ? 2 : 120)
                let run = try machine.enroll("approve", browser.number, at: relay, pin: "4962")
                #expect(run.status == (isChanged ? 65 : 0), "\(run.all)")
                #expect(run.errors.contains("has no sign-in request with this number") == isChanged, "\(run.all)")
                browser.waitUntilDone()
                #expect(browser.identity() == (isChanged ? nil : "alice"))
            }
            #expect(try machine.counted() == 0)
        }

        @Test(arguments: ["approve", "test", "otp", "change-pin"]) func `a revoked user learns about the revocation`(
            command: String
        )
            throws
        {
            let machine = try Machine.enrolled()
            try #require(try machine.administer("user", "revoke", "alice", "--reason", "laptop lost").status == 0)
            // The first login reports it. After that, the server is asked before the PIN is typed.
            let isKnown = command != "approve"
            if isKnown { #expect(try machine.enroll("test", pin: "4962").status == 83) }
            let browser = try WaitingBrowser(at: machine)
            let number = command == "approve" ? [browser.number] : []
            let terminal = try Terminal(Products.enroll, machine.call(command) + number)
            if !isKnown {
                terminal.answer("PIN for alice", "4962")
            }
            #expect(terminal.end() == 83, "\(terminal.screen)")
            #expect(terminal.screen.contains("PIN for alice") != isKnown, "\(terminal.screen)")
            #expect(!terminal.screen.contains("New PIN"), "\(terminal.screen)")
            let screen = terminal.screen.replacing("\r", with: "").replacing("\n", with: " ")
            #expect(screen.contains("has revoked the enrollment of alice"), "\(screen)")
            #expect(terminal.screen.contains("laptop lost"), "\(terminal.screen)")
            #expect(try machine.enroll("status").output.contains("reason    laptop lost"))

            try #require(try machine.administer("user", "restore", "alice").status == 0)
            #expect(try machine.enroll("test", pin: "4962").status == 0)
        }

        @Test func `a wrong PIN is reported as wrong even if the number has expired`() throws {
            let machine = try Machine.enrolled()
            for expected in [81, 81, 82] as [Int32] {
                let browser = try WaitingBrowser(at: machine)
                let terminal = try Terminal(Products.enroll, machine.call("approve", browser.number))
                #expect(terminal.shows("PIN for alice"), "\(terminal.screen)")
                // Another user's device is faster, and the number is used up.
                if expected == 81 {
                    let other = try machine.secondDevice()
                    #expect(try browser.during { try other(browser.number) }.status == 0)
                } else {
                    try machine.restart()
                }
                terminal.type("4963")
                if expected == 82 {
                    terminal.answer("Retype the PIN (press Enter to cancel): ", "4963")
                }
                #expect(terminal.end() == expected, "\(terminal.screen)")
                #expect(terminal.screen.contains(expected == 81 ? "Wrong PIN" : "is blocked"), "\(terminal.screen)")
            }
            #expect(try machine.enroll("test").status == 82)
        }
    }
}

extension Machine {
    /// Another device of the same user, which approves numbers.
    fileprivate func secondDevice() throws -> (String) throws -> Run {
        let store = directory + "/second-" + UUID().uuidString.prefix(8)
        try register(pin: "7385", store: store)
        return { try self.enroll("approve", $0, pin: "7385", store: store) }
    }
}
