// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What the clients of a soak share: how often the server was killed, and what they found.
final class SoakRecord: @unchecked Sendable {
    private let lock = NSLock()
    private var kills = 0
    private var starts = 0
    private var over = false
    private var found: [String] = []
    private var counts: [String: Int] = [:]

    /// Rises before each kill and after each start; odd while the server may be either of two.
    var epoch: Int { lock.withLock { kills + starts } }
    /// Whether one and the same server has answered since an epoch was read.
    func isCalm(since epoch: Int) -> Bool { epoch % 2 == 0 && self.epoch == epoch }
    var isOver: Bool { lock.withLock { over } }
    var faults: [String] { lock.withLock { found } }

    func willKill() { lock.withLock { kills += 1 } }
    func hasStarted() { lock.withLock { starts += 1 } }
    func finish() { lock.withLock { over = true } }
    func count(_ name: String) { lock.withLock { counts[name, default: 0] += 1 } }

    func number(_ name: String) -> Int { lock.withLock { counts[name, default: 0] } }

    /// Notes something that must not happen.
    func fault(_ text: String) { lock.withLock { if found.count < 50 { found.append("epoch \(kills): \(text)") } } }

    var summary: String {
        lock.withLock {
            "\(kills) kills; "
                + counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        }
    }
}
