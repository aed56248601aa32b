internal import Dispatch
internal import GRDB
import Synchronization

/// Decides when the settlements that were left for the next commit are committed.
///
/// Each attempt between its reservation and its settlement will write once more, so the settlements of others can go with
/// that write; only the last one commits at once.
final class AttemptPacing: Sendable {
    /// How long a settlement waits for its commit. If the process were killed before that, the next start would count the
    /// attempt as a wrong PIN. A commit that takes longer waits for the disk.
    private static let commitWait = DispatchTimeInterval.milliseconds(50)

    private let group: GroupCommit
    /// Attempts between the request for their reservation and their settlement.
    private let underWay = Atomic(0)

    init(group: GroupCommit) { self.group = group }

    /// An attempt asks for a reservation.
    func begin() { underWay.add(1, ordering: .sequentiallyConsistent) }

    /// An attempt has been settled, or got no reservation.
    func end() {
        let after = underWay.subtract(1, ordering: .sequentiallyConsistent).newValue
        if after == 0 { group.commitLeft() }
    }

    /// Leaves the settlement of an attempt to the next commit, or commits it where no other attempt may settle soon.
    ///
    /// - Parameters:
    ///   - body: the write; may run more than once.
    ///   - isAwaited: whether a request waits for the settlement.
    ///   - done: called when it is committed, or with the reason why not.
    func end(
        leaving body: @escaping @Sendable (Database) throws -> Void, isAwaited: () -> Bool,
        done: @escaping @Sendable (ServerError?) -> Void
    ) {
        let isWritten = DispatchSemaphore(value: 0)
        group.leave(body) { fault in
            done(fault)
            isWritten.signal()
        }
        // Read only now, so that of two attempts that end at once one sees that it is the last.
        let isLast = underWay.subtract(1, ordering: .sequentiallyConsistent).newValue == 0
        guard isLast || isAwaited() else { return }
        group.commitLeft()
        _ = isWritten.wait(timeout: .now() + Self.commitWait)
    }
}
