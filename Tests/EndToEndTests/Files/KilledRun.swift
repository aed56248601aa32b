// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

/// Runs of `mpin-enroll` that are killed before a call that changes something.
enum KilledRun {
    /// Whether the program was killed at its n-th call of a kind; false if it never made that call.
    static func isKilled(at n: Int, of name: String, _ arguments: [String]) throws -> Bool {
        let run = try Run(
            Launcher.strace("\(name):signal=KILL:when=\(n)", "-e", "trace=" + name) + [Products.enroll] + arguments)
        if run.status == 0 { return false }
        try #require(run.status == 128 + SIGKILL, "\(name) \(n): \(run.all)")
        return true
    }
}
