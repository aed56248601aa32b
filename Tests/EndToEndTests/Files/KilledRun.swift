// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

/// Runs of `mpin-enroll` that are killed before a call that changes something.
enum KilledRun {
    static let isPossible: Bool = {
        let tried = try? Run("/usr/bin/strace", ["-f", "-qq", "-o", "/dev/null", "/bin/true"])
        if tried?.status == 0 { return true }
        print("note: strace is missing or not permitted here, and the tests that need it are left out")
        return false
    }()

    /// Whether the program was killed at its n-th call of a kind; false if it never made that call.
    static func isKilled(at n: Int, of name: String, _ arguments: [String]) throws -> Bool {
        let run = try Run(
            "/usr/bin/strace",
            [
                "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + name, "-e", "inject=\(name):signal=KILL:when=\(n)",
                Products.enroll,
            ] + arguments)
        if run.status == 0 { return false }
        try #require(run.status == 128 + SIGKILL, "\(name) \(n): \(run.all)")
        return true
    }
}
