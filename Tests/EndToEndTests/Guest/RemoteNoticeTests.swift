// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// What sshd does with a message of the module.
    @Suite struct RemoteNoticeTests {
        /// sshd sends what a module says as a banner, which a client at LogLevel=ERROR does not show, and above the shell.
        @Test(.enabled(if: PrivateSystem.isPossible && Products.sshd != nil), arguments: [("ERROR", 1), ("INFO", 2)])
        func `the module says once what sshd shows twice`(level: String, count: Int) throws {
            let system = try PrivateSystem(stack: "auth required MODULE")
            let sshd = try #require(Products.sshd)
            let call = system.machine.call("test").map { $0 == system.machine.account ? PrivateSystem.account : $0 }
            let words = call + ["--no-input", "--pin-file", try system.machine.pinFile("4963")]
            let wrong = try system.run("/bin/sh", "-c", ([Products.enroll] + words).joined(separator: " "))
            try #require(wrong.status == 81, "\(wrong.all)")
            let terminal = try RemoteLogin(system, sshd: sshd).connect(logLevel: level, command: "")
            #expect(terminal.shows("PIN for"), "\(terminal.screen)")
            terminal.type("4962")
            #expect(terminal.shows("$ "), "\(terminal.screen)")
            terminal.type("exit")
            _ = terminal.end(seconds: 10)
            let told = terminal.screen.components(separatedBy: "1 wrong PIN since your last login.").count - 1
            #expect(told == count, "\(terminal.screen)")
        }
    }
}
