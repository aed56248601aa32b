// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// What the server's program says about the mistakes of administrators: what, why, and what to do.
    @Suite struct ServerAdviceTests {
        private func serve(_ machine: Machine, _ arguments: String...) throws -> Run {
            try Run(Products.server, ["serve", "--dir", machine.directory + "/server"] + arguments)
        }

        @Test func `the server in the way is named, and how to stop it`() throws {
            let machine = try Machine()
            for run in [
                try machine.administer("rotate"), try serve(machine, "--listen", "unix:\(machine.directory)/y.sock"),
            ] {
                #expect(run.status == 69 && run.errors.contains("another mpin-server (process "), "\(run.all)")
                let process = try #require(run.errors.split(separator: "process ").last?.split(separator: ")").first)
                #expect(run.errors.contains("Stop it first: sudo kill \(process)\n"), "\(run.all)")
                let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
                #expect(program.hasSuffix("/mpin-server"))
            }
        }

        @Test func `an administrator's command in the way is waited for, and not taken for the server`() throws {
            let machine = try Machine(isServing: false)
            // Holds the lock while it waits for the recovery key.
            let busy = try Background([
                Products.server, "reseal", "--seal", "file", "--recovery-key-file", "-", "--dir",
                machine.directory + "/server",
            ])
            defer { busy.end() }
            let process = busy.identifier
            try becomes { try String(contentsOfFile: "/proc/locks", encoding: .utf8).contains(" \(process) ") }
            let run = try machine.administer("rotate")
            #expect(run.status == 69 && run.errors.contains("'mpin-server reseal' (process \(process))"), "\(run.all)")
            #expect(run.errors.contains("Wait until it ends") && !run.errors.contains("serves"), "\(run.all)")
        }

        @Test func `a directory that is not there has its command`() throws {
            let machine = try Machine(isServing: false)
            let directory = machine.directory + "/none"
            let run = try serve(machine, "--listen", "unix:\(directory)/s.sock")
            #expect(run.status == 69 && run.errors.contains("-m 0755 \(directory)\n"), "\(run.all)")
            let configuration = try serve(
                machine, "--config", directory, "--listen", "unix:\(machine.directory)/s.sock")
            #expect(
                configuration.status == 78 && configuration.errors.contains("\(directory) does not exist"),
                "\(configuration.all)")
        }

        @Test(.enabled(if: isRoot)) func `no hint gives a directory of the system away`() throws {
            let machine = try Machine(isServing: false)
            try #require(Run("/bin/chown", ["-R", "65534", machine.directory + "/server"]).status == 0)
            let call = ["serve", "--dir", machine.directory + "/server", "--listen", "unix:/etc/mpin-test.sock"]
            let run = try Run(Launcher.nobody + [Products.server] + call)
            #expect(run.status == 77 && run.errors.contains(" -m 0755 /run/mpin\n"), "\(run.all)")
        }

        @Test func `a link to settings that are gone is a mistake`() throws {
            let machine = try Machine(isServing: false)
            let (target, link) = (machine.directory + "/none.conf", machine.directory + "/server/server.conf")
            unlink(link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            let run = try serve(machine, "--listen", "unix:\(machine.directory)/s.sock")
            #expect(run.status == 78 && run.errors.contains("\(link) does not exist"), "\(run.all)")
            #expect(run.errors.contains("restore its target, or delete the link."), "\(run.all)")
            try machine.write("", to: "/none.conf")
            #expect(try machine.administer("user", "list").status == 0)
        }

        @Test(arguments: [
            ("service_name = \"House", "only a comment may follow"), ("[server]", "this file has no sections"),
            ("service_name = \" House\"", "a name of 1 to 256 bytes"),
        ])
        func `mistakes in server conf are distinguished`(line: String, part: String) throws {
            let machine = try Machine(configuration: "\(line)\n", isServing: false)
            let run = try serve(machine, "--listen", "unix:\(machine.directory)/s.sock")
            #expect(run.status == 78 && run.errors.contains(part), "\(run.all)")
        }

        @Test func `a backup speaks of a configuration only where there is one`() throws {
            let machine = try Machine()
            let without = try machine.administer("backup", machine.directory + "/one")
            #expect(without.status == 0 && !without.output.contains("server.conf"), "\(without.all)")
            try machine.write("", to: "/server/server.conf")
            let with = try machine.administer("backup", machine.directory + "/two")
            #expect(
                with.output.contains("The backup does not contain \(machine.directory)/server/server.conf."),
                "\(with.all)")
        }
    }
}
