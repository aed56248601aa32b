// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The command in a hint works on the enrollment that the message is about.
    @Suite struct HintTests {
        /// A machine with an unfinished enrollment of another identity than the account's name.
        private func machine(isConfigured: Bool) throws -> Machine {
            let machine = try Machine(configuration: "hold_unverified = yes\n")
            if isConfigured { try machine.write("server = unix:\(machine.socket)\n", to: "/mpin.conf") }
            let begun = try machine.enroll("register", pin: "4962", identity: "erin")
            try #require(begun.status == 80, "\(begun.all)")
            return machine
        }

        /// The command in the first hint to register, run as printed.
        private func follow(_ text: String, _ more: String, input: String) throws -> Run {
            let line = try #require(
                text.split(separator: "\n").first { $0.contains("mpin-enroll register ") }, "\(text)")
            let start = try #require(line.range(of: "mpin-enroll "))
            let command = line[start.lowerBound...].prefix { $0 != "\"" }
            return try Run(
                "/bin/sh", ["-c", "exec \(Products.directory)/\(command) --no-input \(more)"], input: input)
        }

        @Test(arguments: ["status", "test", "doctor", "resend"], [true, false])
        func `it continues an unfinished enrollment`(command: String, isConfigured: Bool) throws {
            let machine = try machine(isConfigured: isConfigured)
            let files = ["--store", machine.store, "--config", machine.directory + "/mpin.conf"]
            let run = try Run(
                Products.enroll,
                [command] + files + (command == "doctor" ? [] : ["--user", machine.account, "--no-input"]))
            #expect(run.all.contains("register --user \(machine.account) --identity erin"), "\(run.all)")
            #expect(run.all.contains("--server unix:") == !isConfigured, "\(run.all)")
            let code = try machine.invitation(for: "erin")
            let done = try follow(run.all, "--code \(code) --pin-file -", input: "4962")
            #expect(done.status == 0, "\(done.all)")
            let list = try Run(Products.enroll, ["list", "--json"] + files).json()
            let all = try #require(list["identities"] as? [[String: Any]])
            #expect(all.map { $0["identity"] as? String } == ["erin"], "\(all)")
            #expect(all.first?["state"] as? String == "REGISTERED", "\(all)")
        }
    }
}
