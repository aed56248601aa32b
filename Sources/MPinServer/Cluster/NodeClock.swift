// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// How far the clock of this server is ahead of that of a shared database.
///
/// Nodes judge by their own clocks what has expired. So one whose clock is wrong answers no requests and deletes
/// nothing: a healthy node would suffer from that.
final class NodeClock: Sendable {
    /// The largest difference, in milliseconds.
    static let tolerance: UInt64 = 5_000

    private let measured = Mutex<Int64>(0)

    /// The last measurement, in milliseconds.
    var error: Int64 {
        get { measured.withLock { $0 } }
        set { measured.withLock { $0 = newValue } }
    }

    var isWrong: Bool { error.magnitude > Self.tolerance }
}
