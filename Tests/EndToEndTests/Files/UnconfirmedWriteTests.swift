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
    }
}
