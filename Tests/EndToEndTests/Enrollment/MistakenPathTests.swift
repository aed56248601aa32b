// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Paths that were named by mistake. The message names the mistake, and no hint would change the file.
    @Suite struct MistakenPathTests {
        private func run(_ machine: Machine, _ flag: String, _ path: String, _ command: String = "list") throws -> Run {
            var options = ["--store": machine.store, "--config": machine.directory + "/mpin.conf"]
            options[flag] = path
            return try Run(
                Products.enroll,
                [command, "--no-input", "--server", "unix:/nowhere"] + options.flatMap { [$0.key, $0.value] })
        }

        private func changesNothing(_ run: Run) -> Bool {
            ["chmod", "chown", "mv ", "cp "].allSatisfy { !run.all.contains($0) }
        }

        @Test func `paths that are not regular files are refused`() throws {
            let machine = try Machine()
            for flag in ["--config", "--ca-file"] {
                for (path, kind) in [
                    ("/etc", "a directory"), ("/dev/null", "a device"), (machine.socket, "a socket"),
                ] {
                    let run = try run(machine, flag, path)
                    #expect(run.status == 78, "\(run.all)")
                    #expect(
                        run.errors.contains("\(flag) needs a regular file, but \(path) is \(kind)."), "\(run.errors)")
                    #expect(run.errors.contains("Use another file with \(flag)."), "\(run.errors)")
                    #expect(changesNothing(run), "\(run.errors)")
                }
                let open = machine.directory + "/open"
                try machine.write("", to: "/open")
                try #require(chmod(open, 0o666) == 0)
                let run = try run(machine, flag, open)
                #expect(run.status == 78 && changesNothing(run), "\(run.all)")
                #expect(run.errors.contains("Use a file that you or root owns"), "\(run.errors)")
            }
        }

        @Test(arguments: ["list", "register", "status"]) func `paths that are not stores are refused`(command: String)
            throws
        {
            let machine = try Machine()
            let foreign = machine.directory + "/foreign"
            try FileManager.default.createDirectory(
                atPath: foreign + "/users", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try #require(chown(foreign, 65534, 65534) == 0)
            for path in ["/etc", "/tmp", "/dev/null", foreign, machine.directory + "/mpin.conf"] {
                let run = try run(machine, "--store", path, command)
                #expect(run.status == 74 || run.status == 73 || run.status == 66, "\(path): \(run.all)")
                #expect(changesNothing(run), "\(run.errors)")
                guard run.status != 66 else { continue }
                #expect(run.errors.contains("\(path) is not a usable store: it "), "\(run.errors)")
                #expect(run.errors.contains("Use another directory, with mode 0700"), "\(run.errors)")
            }
        }

        @Test func `the hint fixes one of our stores whatever its name is`() throws {
            let machine = try Machine.enrolled()
            let odd = machine.directory + "/it's a store"
            try #require(rename(machine.store, odd) == 0 && chmod(odd, 0o755) == 0)
            let broken = try run(machine, "--store", odd)
            #expect(broken.status == 74, "\(broken.all)")
            let line = try #require(broken.errors.split(separator: "\n").last { $0.contains("Fix it: ") })
            let start = try #require(line.range(of: "Fix it: ")).upperBound
            #expect(try Run("/bin/sh", ["-c", String(line[start...])]).status == 0)
            #expect(try run(machine, "--store", odd).output.contains("\talice\tREGISTERED\t"))
        }
    }
}
