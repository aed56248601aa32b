// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The module leaves no change in the process that loads it.
    @Suite struct GuestTests {
        @Test func `memory stays flat over many logins`() throws {
            let machine = try Machine.enrolled()
            let count = isFast ? 250 : 1000
            let run = try machine.probe("cycles", "\(count)", pins: ["4962"])
            #expect(run.status == 0, "\(run.all)")
            // "failures 0 resident KB then KB"
            let words = run.output.split(whereSeparator: \.isWhitespace)
            let early = try #require(words.dropFirst(3).first.flatMap { Int($0) })
            let late = try #require(words.last.flatMap { Int($0) })
            #expect(late - early < 512, "\(run.output)")
            #expect(late < 20_000, "\(run.output)")
        }

        @Test(arguments: ["snapshot", "snapshot,ignore-signals", "snapshot,no-locked-memory"])
        func `leaves the process as it was`(command: String) throws {
            let machine = try Machine.enrolled()
            let run = try machine.probe(command, pins: ["4962", "4963", "12", "4962"])
            #expect(
                run.lines == ["PAM_SUCCESS", "PAM_AUTH_ERR", "PAM_AUTH_ERR", "PAM_SUCCESS", "changes 0"], "\(run.all)")
            machine.kill()
            let gone = try machine.probe(command, pins: ["4962"])
            #expect(gone.lines == ["PAM_AUTHINFO_UNAVAIL", "changes 0"], "\(gone.all)")
            let unenrolled = try machine.probe(command, pins: ["4962"], user: "nobody")
            #expect(unenrolled.lines == ["PAM_AUTH_ERR", "changes 0"], "\(unenrolled.all)")
        }

        @Test func `a change of the process would be seen`() throws {
            let machine = try Machine.enrolled()
            let run = try machine.probe("snapshot,disturb", pins: ["4962"])
            for sign in ["Umask:", "/proc/self/fd/", "signal 10", "environ ", "variable", "directory /usr"] {
                #expect(run.lines.contains { $0.hasPrefix("new: " + sign) }, "\(sign) is not seen")
            }
            #expect(run.status != 0)
        }

        @Test(arguments: ["fork", "fork,ignore-signals"])
        func `works after a fork`(command: String) throws {
            let machine = try Machine.enrolled()
            let run = try machine.probe(command, pins: ["4962"])
            // With SIGCHLD ignored a child's exit status is lost; the parent's own logins count all the same.
            if command == "fork" {
                #expect(run.status == 0)
                #expect(run.lines == ["stage 0: 0", "stage 1: 0", "stage 2: 0"], "\(run.all)")
            } else {
                #expect(run.lines.count == 3 && run.lines.allSatisfy { $0.hasSuffix(": 255") }, "\(run.all)")
            }
            #expect(try machine.counted() == 0)
        }

        @Test func `threads log in at the same time`() throws {
            let machine = try Machine.enrolled()
            try machine.register(identity: "bob", account: "nobody")
            for user in [machine.account, machine.account + ",nobody"] {
                let run = try machine.probe("threads", isFast ? "10" : "100", pins: ["4962"], user: user)
                #expect(run.lines == ["failures 0 and 0"], "\(run.all)")
            }
        }

        @Test(.enabled(if: isRoot))
        func `threads of a set user ID host log in at the same time`() throws {
            let machine = try Machine()
            try machine.register(identity: "bob", account: "nobody")
            let host = try machine.setUserIDProbe()
            let run = try machine.probe(
                "threads", isFast ? "20" : "50", pins: ["4962"], user: "nobody", program: host.program,
                by: host.launcher)
            #expect(run.lines == ["failures 0 and 0"], "\(run.all)")
        }

        @Test func `locks the record where there is no lock file`() throws {
            let machine = try Machine.enrolled()
            #expect(unlink(machine.store + "/users/\(machine.account).lock") == 0)
            let run = try machine.probe("threads", "10", pins: ["4962"])
            #expect(run.lines == ["failures 0 and 0"], "\(run.all)")
        }
    }
}
