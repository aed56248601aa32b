// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinCrypto
package import MPinWire

extension FileStore {
    /// Moves unreadable records to a file beside the account's file, so that others can be written.
    ///
    /// A file that cannot be read at all is renamed. A file with some unreadable records is copied as a whole, and
    /// loses those.
    /// - Returns: the name of the file with the unreadable records, relative to the store; `nil` if all records can be
    ///   read.
    package borrowing func setAsideUnreadableRecords(until deadline: Deadline) throws(StoreError) -> ByteText? {
        try withLock(until: deadline, create: true) { store throws(StoreError) in
            do throws(StoreError) {
                guard try RecordFile.load(store).setAside > 0 else { return nil }
            } catch .notEnrolled {
                return nil
            } catch .damaged, .otherVersion {
                return try store.setAsideRecords(copying: false)
            }
            let name = try store.setAsideRecords(copying: true)
            try RecordFile.removeUnreadable(from: store)
            return name
        }
    }
}
