#if !hasFeature(Embedded)
internal import CMPinSystem
internal import MPinWire

/// The turn of one program to enrol an account or to end its enrolment. It ends with this object, or with its process.
///
/// Unlike the lock of the records it is held while the server is asked: two enrolments of one account that overlap would
/// have the server revoke what the other has made.
package struct EnrolmentTurn: ~Copyable {
    private let lock: Descriptor

    fileprivate init(_ lock: consuming Descriptor) {
        self.lock = lock
    }
}

extension FileStore {
    /// Takes the turn to enrol this account. For a store that was opened at ``Area/users``.
    ///
    /// - Throws: ``StoreError/busy`` where another program has had it until the deadline.
    package borrowing func enrolmentTurn(until deadline: Deadline) throws(StoreError) -> EnrolmentTurn {
        let name = accountName + ".enrolling"
        let taken = unsafe mpin_lock_take(records.number, name.cString, 1, deadline.nanoseconds)
        return EnrolmentTurn(try Descriptor(lock: taken))
    }
}
#endif
