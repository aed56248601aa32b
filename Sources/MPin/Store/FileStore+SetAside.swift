internal import CMPinSystem
internal import MPinCrypto
package import MPinWire

extension FileStore {
    /// Keeps records that cannot be read in a file beside theirs, so that others can be written.
    ///
    /// A file that cannot be read at all is renamed; one with some unreadable records is copied whole, and loses those.
    /// - Returns: the name of the file in which they are kept, relative to the store; `nil` when everything can be
    ///   read.
    package borrowing func setAsideUnreadableRecords(until deadline: Deadline) throws(StoreError) -> ByteText? {
        try withLock(until: deadline, create: true) { store throws(StoreError) in
            do throws(StoreError) {
                guard try RecordFile.load(store).setAside > 0 else { return nil }
            } catch .notEnrolled {
                return nil
            } catch .damaged {
                return try store.setAsideRecords(copying: false)
            }
            let name = try store.setAsideRecords(copying: true)
            try RecordFile.removeUnreadable(from: store)
            return name
        }
    }
}
