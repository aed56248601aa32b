// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import GRDB
import Synchronization

/// Decides when to commit the settlements that were left for the next commit.
///
/// Each attempt in progress will write once more, when it is settled. Settlements of other attempts can be part of that
/// write, so only the last attempt commits at once.
final class AttemptPacing: Sendable {
    /// How long a settlement waits for its commit. If the process were killed before the commit, the next start would
    /// count the attempt as a wrong PIN. A commit that takes longer waits for the disk.
    private static let commitWait = DispatchTimeInterval.milliseconds(50)

    private let group: GroupCommit
    /// The number of attempts between the request for a reservation and the settlement.
    private let underWay = Atomic(0)

    init(group: GroupCommit) { self.group = group }

    /// An attempt asks for a reservation.
    func begin() { underWay.add(1, ordering: .sequentiallyConsistent) }

    /// An attempt was settled, or got no reservation.
    func end() {
        let after = underWay.subtract(1, ordering: .sequentiallyConsistent).newValue
        if after == 0 { group.commitLeft() }
    }

    /// Leaves the settlement of an attempt to the next commit. Commits it at once if no other attempt is in progress.
    ///
    /// - Parameters:
    ///   - body: the write; may run more than once.
    ///   - done: called with nil after the commit, or with the error.
    func end(
        leaving body: @escaping @Sendable (Database) throws -> Void, isAwaited: () -> Bool,
        done: @escaping @Sendable (ServerError?) -> Void
    ) {
        let isWritten = DispatchSemaphore(value: 0)
        group.leave(body) { fault in
            done(fault)
            isWritten.signal()
        }
        // Read only now, so that of two attempts that end at the same time one sees that it is the last.
        let isLast = underWay.subtract(1, ordering: .sequentiallyConsistent).newValue == 0
        guard isLast || isAwaited() else { return }
        group.commitLeft()
        _ = isWritten.wait(timeout: .now() + Self.commitWait)
    }
}
