// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// An enrollment at a server of 2016, after the configuration names another server.
    @Suite struct LeftServerTests {
        private let old: OldMachine
        private let new: Machine

        init() throws {
            (old, new) = (try OldMachine(), try Machine())
            try old.register()
            let file = URL(fileURLWithPath: old.directory + "/mpin.conf")
            try Data("server = unix:\(new.socket)\n".utf8).write(to: file)
        }

        /// A command that finds the server in the configuration.
        private func enroll(_ words: String..., input: String? = nil) throws -> Run {
            let account = words[0] == "doctor" ? [] : ["--user", old.account]
            return try Run(
                Products.enroll,
                words + account + [
                    "--store", old.directory + "/store", "--config", old.directory + "/mpin.conf", "--no-input",
                ], input: input)
        }

        private func follow(_ command: String, in text: String, _ more: String, input: String = "") throws -> Run {
            let line = try #require(
                text.split(separator: "\n").last { $0.contains("mpin-enroll \(command) ") }, "\(text)")
            let start = try #require(line.range(of: "mpin-enroll "))
            return try Run(
                "/bin/sh", ["-c", "exec \(Products.directory)/\(line[start.lowerBound...]) --no-input \(more)"],
                input: input)
        }

        @Test(arguments: ["status", "test", "recover"]) func `the next step is to enroll at the new one`(
            command: String
        ) throws {
            let run = try enroll(command)
            #expect(run.status == (command == "status" ? 0 : 67), "\(run.all)")
            #expect(run.all.contains("is not enrolled at unix:\(new.socket)."), "\(run.all)")
            #expect(run.all.contains("alice at \(old.peer.url)"), "\(run.all)")
            let code = try new.invitation()
            let registered = try follow("register", in: run.all, "--code \(code) --pin-file -", input: "7385")
            #expect(registered.status == 0, "\(registered.all)")
            #expect(try enroll("test", "--pin-file", "-", input: "7385").status == 0)
        }

        @Test func `doctor finds that logins fail, and then the leftover`() throws {
            let fault = try enroll("doctor")
            #expect(fault.status == 1, "\(fault.all)")
            let sentence = "Logins do not find the enrollment of"
            #expect(fault.output.contains(sentence) && !fault.output.contains("is enrolled at"), "\(fault.output)")
            let code = try new.invitation()
            let registered = try follow("register", in: fault.output, "--code \(code) --pin-file -", input: "7385")
            #expect(registered.status == 0, "\(registered.all)")
            let leftover = try enroll("doctor")
            #expect(leftover.output.contains(sentence) && leftover.output.contains("is enrolled at"), "\(leftover.all)")
            let removed = try follow("remove", in: leftover.output, "--yes")
            #expect(removed.status == 0, "\(removed.all)")
            #expect(!(try enroll("doctor").output.contains(sentence)))
            #expect(try enroll("test", "--pin-file", "-", input: "7385").status == 0)
        }

        @Test func `remove names the server of the enrollment`() throws {
            let run = try enroll("remove", "--identity", "alice")
            #expect(run.status == 67, "\(run.all)")
            #expect(
                run.errors.contains("remove --user \(old.account) --identity alice --server \(old.peer.url)"),
                "\(run.all)")
            let removed = try follow("remove", in: run.errors, "--yes")
            #expect(removed.status == 0, "\(removed.all)")
        }

        @Test func `the settings of a captive portal are no refusal of an enrollment with a key`() throws {
            let code = try new.invitation()
            let registered = try enroll(
                "register", "--identity", "alice", "--code", code, "--pin-file", "-", input: "7385")
            try #require(registered.status == 0, "\(registered.all)")
            new.kill()
            try FileManager.default.removeItem(atPath: new.socket)
            let portal = try LoopbackServer(directory: new.directory) { _ in .status(403, "<html>") }
            defer { portal.stop() }
            #expect(portal.path == new.socket)
            for words in [
                ["devices"], ["approve", "1234567"], ["deny", "1234567"], ["otp"], ["server", "show"], ["recover"],
            ] {
                let run = try Run(
                    Products.enroll,
                    words + [
                        "--user", old.account, "--store", old.directory + "/store", "--config",
                        old.directory + "/mpin.conf", "--no-input",
                    ] + (["otp"] == words ? ["--pin-file", "-"] : [])
                        + (["recover"] == words ? ["--code", "0000-1111-2222-3333", "--new-pin-file", "-"] : []),
                    input: "7385")
                #expect(run.status == 69, "\(words): \(run.all)")
                #expect(!run.all.contains("HTTP 403") && run.all.contains("did not sign its answer"), "\(run.all)")
            }
        }
    }
}
