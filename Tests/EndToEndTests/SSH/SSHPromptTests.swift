// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Where `mpin-enroll ssh` asks for the PIN.
    @Suite(.enabled(if: PrivateSystem.isPossible)) struct SSHPromptTests {
        private func program(_ laptop: SSHLaptop, _ commands: String) throws -> [String: String] {
            try laptop.machine.write(
                "#!/bin/sh\nprintf %s \"$1\" > \(laptop.machine.directory)/prompt\n\(commands)\n", to: "/askpass")
            try #require(chmod(laptop.machine.directory + "/askpass", 0o700) == 0)
            return ["SSH_ASKPASS": laptop.machine.directory + "/askpass"]
        }

        @Test func `without a terminal and a program that asks, it fails at once`() throws {
            let laptop = try SSHLaptop()
            for environment in [["SSH_ASKPASS": ""], ["SSH_ASKPASS": "/nonexistent"]] {
                let run = try laptop.run("--if-needed", environment: environment)
                #expect(run.status == 66, "\(run.all)")
                if environment["SSH_ASKPASS"] == "" {
                    #expect(
                        run.errors
                            == "mpin-enroll: There is no terminal to ask for the PIN.\n"
                            + "Run in a terminal: mpin-enroll ssh\n", "\(run.all)")
                    #expect(laptop.mode(laptop.files) == nil)
                }
            }
        }

        @Test func `the program in SSH_ASKPASS gets the prompt and gives the PIN`() throws {
            let laptop = try SSHLaptop()
            let run = try laptop.run(environment: program(laptop, "echo 4962"))
            #expect(run.status == 0 && run.output.contains("alice may log in as alice"), "\(run.all)")
            let prompt = try #require(laptop.text(laptop.machine.directory + "/prompt"))
            #expect(prompt.hasPrefix("PIN for alice on ") && prompt.hasSuffix(": "), "\(prompt)")
            // A terminal comes first.
            let path = try #require(try program(laptop, "echo 4963")["SSH_ASKPASS"])
            let terminal = try Terminal(["/usr/bin/env", "SSH_ASKPASS=" + path] + laptop.ssh([]))
            terminal.answer("PIN for alice on ", "4962")
            #expect(terminal.end() == 0, "\(terminal.screen)")
            #expect(try laptop.machine.counted() == 0)
        }

        @Test(arguments: [
            ("FORCE", "", true), ("force", "", true), ("prefer", "", false), ("prefer", "DISPLAY=:0", true),
            ("prefer", "WAYLAND_DISPLAY=w", true), ("never", "DISPLAY=:0", false), ("other", "DISPLAY=:0", false),
        ])
        func `SSH_ASKPASS_REQUIRE means what it means to ssh`(_ use: String, _ display: String, _ isUsed: Bool) throws {
            let laptop = try SSHLaptop()
            let path = try #require(try program(laptop, "echo 4962")["SSH_ASKPASS"])
            let variables = ["SSH_ASKPASS=" + path, "SSH_ASKPASS_REQUIRE=" + use, display].filter { !$0.isEmpty }
            let terminal = try Terminal(["/usr/bin/env"] + variables + laptop.ssh([]))
            if !isUsed { terminal.answer("PIN for alice on ", "4962") }
            #expect(terminal.end() == 0 && terminal.screen.contains("PIN for") != isUsed, "\(terminal.screen)")
            #expect((laptop.text(laptop.machine.directory + "/prompt") != nil) == isUsed)
            // Without a terminal, it asks unless the variable forbids it.
            let run = try laptop.run(environment: ["SSH_ASKPASS": path, "SSH_ASKPASS_REQUIRE": use])
            #expect(run.status == (use == "never" ? 66 : 0), "\(run.all)")
        }

        @Test(arguments: ["exit 1", "echo 4962; exit 1", "", "echo", "head -c 70000 /dev/zero"])
        func `a program that gives no PIN uses no try`(_ commands: String) throws {
            let laptop = try SSHLaptop()
            let run = try laptop.run(environment: program(laptop, commands))
            #expect(run.status == 130, "\(run.all)")
            #expect(laptop.text(laptop.certificate) == nil)
            #expect(try laptop.machine.counted() == 0)
        }

        @Test func `the last try is announced in the window, too`() throws {
            let laptop = try SSHLaptop(maximum: 2)
            #expect(try laptop.run(pin: "4963").status == 81)
            let commands = """
                case $1 in *Retype*) printf %s "$1" > \(laptop.machine.directory)/second; sleep 0.4;; esac
                echo 4962
                """
            let run = try laptop.run(environment: program(laptop, commands))
            #expect(run.status == 0, "\(run.all)")
            let second = try #require(laptop.text(laptop.machine.directory + "/second"))
            #expect(second.hasPrefix("Last try: ") && second.contains("\nRetype the PIN"), "\(second)")
        }
    }
}
