// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Reports that cannot be written, and input that is empty.
    @Suite struct OutputTests {
        @Test func `a full standard output is a failure`() throws {
            let machine = try Machine.enrolled()
            for (command, more) in [
                ("status", []), ("list", []), ("status", ["--json"]), ("list", ["--json"]), ("next", []),
                ("test", ["--pin-file", try machine.pinFile("4962")]),
            ] {
                let call = machine.call(command) + ["--no-input"] + more
                let run = try Run(Launcher.redirecting("> /dev/full") + [Products.enroll] + call)
                #expect(run.status == 74, "\(command): \(run.status) \(run.all)")
                #expect(run.errors.contains("standard output: No space left"), "\(run.errors)")
            }
        }

        @Test func `a closed standard output is a failure`() throws {
            let machine = try Machine.enrolled()
            for (command, more) in [("otp", []), ("otp", ["--json"]), ("backup-codes", ["--count", "1", "--yes"])] {
                let call = machine.call(command) + ["--pin-file", try machine.pinFile("4962"), "--no-input"] + more
                let run = try Run(Launcher.redirecting(">&- <&-") + [Products.enroll] + call)
                #expect(run.status == 74, "\(command): \(run.status) \(run.all)")
                let isTold = run.errors.contains("could not be written to standard output: Bad file descriptor")
                #expect(isTold, "\(command): \(run.errors)")
            }
            #expect(try machine.enroll("test", pin: "4962").status == 0)
        }

        @Test func `help that cannot be written is a failure`() throws {
            let machine = try Machine()
            let directory = ["--dir", machine.directory + "/server"]
            for (program, arguments) in [
                (Products.enroll, ["--help"]), (Products.enroll, ["--version"]), (Products.enroll, ["help", "test"]),
                (Products.server, ["--help"]), (Products.server, ["--version"]),
                (Products.server, ["invite", "alice"] + directory),
                (Products.server, ["audit", "--json"] + directory),
            ] {
                let run = try Run(Launcher.redirecting("> /dev/full") + [program] + arguments)
                #expect(run.status == 74, "\(arguments): \(run.status) \(run.all)")
                #expect(run.errors.contains("standard output: No space left"), "\(run.errors)")
            }
        }

        @Test func `empty input is invalid input`() throws {
            let machine = try Machine()
            try machine.write("\n", to: "/empty")
            let file = machine.directory + "/empty"
            #expect(try machine.enroll("register", "--code", machine.invitation(), pin: "").status == 65)
            try machine.register()
            for run in [
                try machine.enroll("test", pin: ""), try machine.enroll("test", "--pin-file", file),
                try machine.enroll("remove", "--yes", pin: "\n"),
            ] {
                #expect(run.status == 65 && run.errors.contains("contains no PIN"), "\(run.all)")
            }
            for command in ["register", "test", "status", "list"] {
                let run = try machine.enroll(command, identity: "")
                #expect(run.status == 65 && run.errors.contains("--identity is empty"), "\(command): \(run.all)")
            }
        }
    }
}
