// SPDX-License-Identifier: Apache-2.0
import Pairing

/// What the check has to report, to show that it can.
enum Control {
    static let all: [(name: String, run: @Sendable (Operations) -> Void)] = [
        ("a branch on a secret", { branch($0) }),
        ("a table index that is secret", { index($0) }),
        ("try and increment on a secret", { search($0) }),
    ]

    @inline(never)
    private static func branch(_ operations: Operations) {
        let secret = Secret.array(operations.scalar)
        if secret[3] & 1 == 1 { print("  (odd)") } else { print("  (even)") }
    }

    @inline(never)
    private static func index(_ operations: Operations) {
        let table = operations.scalar
        let secret = Secret.array(operations.scalar)
        keep(Mask(zero: UInt64(table[Int(secret[5] & 31)])))
    }

    @inline(never)
    private static func search(_ operations: Operations) {
        let secret = Secret.array(operations.scalar)
        keep(G1(mapping: secret.span).isInfinity)
    }
}
