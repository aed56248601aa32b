// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Backup codes become valid only after their delivery.
    @Suite struct BackupCodeDeliveryTests {
        private static func count(_ machine: Machine) throws -> Int? {
            try machine.administer("user", "show", "alice", "--json").json()["backupCodes"] as? Int
        }

        /// Programs that start another one whose standard output fails.
        private static let launchers = [
            Launcher.redirecting("> /dev/full"),
            [
                "/usr/bin/perl", "-e",
                "pipe(R, W); close R; open(STDOUT, \">&W\"); $SIG{PIPE} = $ARGV[0]; shift; exec @ARGV", "IGNORE",
            ],
            [
                "/usr/bin/perl", "-e",
                "pipe(R, W); close R; open(STDOUT, \">&W\"); $SIG{PIPE} = $ARGV[0]; shift; exec @ARGV", "DEFAULT",
            ],
        ]

        @Test(arguments: launchers, [[], ["--json"]])
        func `codes that were not delivered are invalid, and the old ones remain valid`(
            launcher: [String], more: [String]
        ) throws {
            let machine = try Machine.enrolled()
            let old = try machine.enroll("backup-codes", "--count", "1", "--yes", pin: "4962").output
                .trimmingCharacters(in: .newlines)
            #expect(old.count == 19)
            let words =
                [Products.enroll] + machine.call("backup-codes", "--count", "2", "--yes")
                + ["--pin-file", try machine.pinFile("4962"), "--no-input"] + more
            let run = try Run(launcher + words)
            // SIGPIPE ends the program, unless it is ignored.
            #expect(run.status == (launcher.last == "DEFAULT" ? 128 + SIGPIPE : 74), "\(run.all)")
            if run.status == 74 {
                #expect(run.errors.contains("The codes could not be written to standard output"), "\(run.all)")
                #expect(
                    run.errors.contains("They are not valid.") && !run.errors.contains("itself succeeded"), "\(run.all)"
                )
            }
            #expect(try Self.count(machine) == 1)
            #expect(try machine.recover(code: old, pin: "7351").status == 0)
        }

        @Test func `output with codes is one object, which ends with the result`() throws {
            let machine = try Machine.enrolled()
            let call =
                machine.call("backup-codes", "--count", "2", "--yes", "--json") + [
                    "--pin-file", try machine.pinFile("4962"),
                ]
            let good = try Run(Products.enroll, call).json()
            #expect((good["codes"] as? [String])?.count == 2 && good["ok"] as? Bool == true, "\(good)")
            #expect(good["backupCodes"] as? Int == 2)
            // The program waits for a reader of its codes while the server stops.
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            let reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
            let writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
            _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
            _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
            _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
            let blank = [UInt8](repeating: 0x20, count: 4096)
            while write(ends[1], blank, blank.count) > 0 {}
            while write(ends[1], blank, 1) > 0 {}
            _ = fcntl(ends[1], F_SETFL, 0)
            let process = try Background([Products.enroll] + call, output: writing)
            try process.waitForWrite()
            machine.kill()
            try writing.close()
            let text = String(decoding: reading.readDataToEndOfFile(), as: UTF8.self)
            #expect(process.status() == 69)
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
            #expect((object["codes"] as? [String])?.count == 2 && object["ok"] as? Bool == false, "\(text)")
            #expect((object["error"] as? [String: Any])?["code"] as? String == "NETWORK_ERROR", "\(text)")
        }

        @Test func `a file for codes appears when it is complete`() throws {
            let machine = try Machine.enrolled()
            let directory = machine.directory + "/kept"
            try #require(mkdir(directory, 0o700) == 0)
            let file = directory + "/codes"
            let terminal = try Terminal(Products.enroll, machine.call("backup-codes", "--codes-file", file))
            #expect(terminal.shows("PIN for alice"), "\(terminal.screen)")
            terminal.signalAll(SIGKILL)
            _ = terminal.end()
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])

            let made = try machine.enroll("backup-codes", "--count", "3", "--codes-file", file, pin: "4962")
            #expect(made.status == 0 && made.output.isEmpty, "\(made.all)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["codes"])
            #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count == 3)
            // Refused before the PIN prompt: an existing file, a dangling link, and a missing directory.
            try #require(symlink("/nonexistent", directory + "/link") == 0)
            for place in [file, directory + "/link", directory + "/none/codes"] {
                let run = try machine.enroll("backup-codes", "--codes-file", place)
                #expect(run.status == 65 && run.errors.contains("\(place) cannot be created: "), "\(run.all)")
            }
            #expect(try Self.count(machine) == 3)
        }

        @Test(
            .enabled(if: Launcher.canTrace), arguments: ["link:error=EPERM", "write:error=EINTR:when=1+2"])
        func `a file for codes needs no hard links and no uninterrupted writes`(fault: String) throws {
            let machine = try Machine.enrolled()
            let (run, names, lines) = try Self.keep(machine, fault)
            #expect(run.status == 0 && names == ["codes"] && lines == 3, "\(run.all) \(names) \(lines)")
        }

        @Test(.enabled(if: Launcher.canTrace), arguments: [false, true])
        func `codes that the disk did not confirm are not kept`(onlyDirectory: Bool) throws {
            let machine = try Machine.enrolled()
            let (run, names, _) = try Self.keep(machine, "fsync:error=EIO", onlyDirectory: onlyDirectory)
            #expect(run.status == 74 && run.errors.contains("/codes could not be written: "), "\(run.all)")
            #expect(names == [])
        }

        /// Makes three codes while system calls fail.
        ///
        /// - Parameter onlyDirectory: whether only calls on the directory for the codes fail.
        /// - Returns: also the files in that directory, and the number of codes in the file.
        private static func keep(
            _ machine: Machine, _ fault: String, onlyDirectory: Bool = false
        ) throws -> (Run, names: [String], lines: Int) {
            let directory = machine.directory + "/kept"
            try #require(mkdir(directory, 0o700) == 0)
            defer { try? FileManager.default.removeItem(atPath: directory) }
            let file = directory + "/codes"
            let run = try Run(
                Launcher.strace(fault, options: onlyDirectory ? ["-P", directory] : []) + [Products.enroll]
                    + machine.call("backup-codes", "--count", "3", "--yes", "--codes-file", file)
                    + ["--no-input", "--pin-file", machine.pinFile("4962")])
            let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            let text = try? String(contentsOfFile: file, encoding: .utf8)
            return (run, names, text?.split(separator: "\n").count ?? 0)
        }
    }
}
