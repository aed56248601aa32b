// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinWire

/// The turn of one program to enroll an account or to end its enrollment. It ends with this object, or with the
/// process.
///
/// Unlike the lock of the records it is held during requests: otherwise the server could revoke, for one of two
/// overlapping enrollments of an account, what the other has just made.
package struct EnrollmentTurn: ~Copyable {
    private let store: FileStore
    private let lock: Descriptor

    fileprivate init(_ store: FileStore, _ lock: consuming Descriptor) {
        self.store = store
        self.lock = lock
    }

    deinit { store.removeTurnWithoutRecords() }
}

extension FileStore {
    private var turnName: ByteText { accountName + ".enrolling" }

    /// Takes the turn to enroll this account. Only for a store opened at ``Area/users``.
    ///
    /// - Throws: ``StoreError/busy`` if another program still has the turn at the deadline.
    package func enrollmentTurn(until deadline: Deadline) throws(StoreError) -> EnrollmentTurn {
        let taken = unsafe mpin_lock_take(records.number, turnName.cString, 1, deadline.nanoseconds, 0)
        let lock = try Descriptor(lock: taken)
        return EnrollmentTurn(self, lock)
    }

    /// Removes the turn's file if the account has no records. The caller holds the turn.
    fileprivate func removeTurnWithoutRecords() {
        do throws(StoreError) { _ = try readRecords() } catch {
            guard case .notEnrolled = error else { return }
            do { try records.remove(turnName) } catch {}
        }
    }
}
