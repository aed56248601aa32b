// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// A disk that reports an error when a PIN change should become durable.
    @Suite struct UnconfirmedWriteTests {
        @Test(.enabled(if: CutOffRestoreTests.isPossible))
        func `whichever fsync fails, change-pin names the valid PIN`() throws {
            let machine = try Machine()
            try machine.register()
            let pins = ["4962": "804713", "804713": "4962"]
            var current = "4962"
            var unconfirmed = 0
            for n in 1...30 {
                let next = try #require(pins[current])
                let run = try Run(
                    "/usr/bin/strace",
                    [
                        "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e", "inject=fsync:error=EIO:when=\(n)",
                        Products.enroll,
                    ] + machine.call("change-pin", "--json") + [
                        "--no-input", "--pin-file", machine.pinFile(current), "--new-pin-file", machine.pinFile(next),
                    ])
                let isNew = try machine.enroll("test", pin: next).status == 0
                let saysNew = run.status == 0 || run.output.contains("alice has a new PIN, but the disk")
                #expect(saysNew == isNew, "fsync \(n): \(run.all)")
                if !isNew { #expect(try machine.enroll("test", pin: current).status == 0, "fsync \(n)") }
                if run.status != 0 {
                    #expect(run.status == 74 && run.errorCode == "STORAGE_ERROR", "fsync \(n): \(run.all)")
                    if isNew { unconfirmed += 1 }
                }
                if isNew { current = next }
            }
            #expect(unconfirmed == 1)
        }

        @Test(.enabled(if: CutOffRestoreTests.isPossible))
        func `a file is on the disk before it gets its name`() throws {
            let machine = try Machine()
            try machine.register()
            let trace = machine.directory + "/trace"
            let change =
                ["-f", "-qq", "-y", "-o", trace, "-e", "trace=fsync,rename,renameat,renameat2", Products.enroll]
                + machine.call("change-pin", "--no-input") + [
                    "--pin-file", try machine.pinFile("4962"), "--new-pin-file", try machine.pinFile("804713"),
                ]
            let run = try Run("/usr/bin/strace", change)
            #expect(run.status == 0, "\(run.all)")
            // A new file has a name of its own until then, such as .alice.new.
            var (synced, renamed): (Set<Substring>, Int) = ([], 0)
            for line in try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n") {
                if line.contains("fsync("), let name = line.firstMatch(of: /\/(\.[^\/>]*\.new)>/)?.1 {
                    synced.insert(name)
                }
                guard line.contains("rename"), let name = line.firstMatch(of: /"(\.[^"\/]*\.new)"/)?.1 else { continue }
                #expect(synced.remove(name) != nil, "\(line)")
                renamed += 1
            }
            #expect(renamed > 0)
        }
    }
}
