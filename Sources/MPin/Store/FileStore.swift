internal import CMPinSystem
internal import MPinCrypto
package import MPinWire

/// The directory of one account's records, opened once and used through its descriptors.
///
/// Below the store's directory lie `users/ACCOUNT.json` with the registrations and tokens, `cache/ACCOUNT.json` with
/// what a login can fetch again, `staging/ACCOUNT.json` with a registration that has not proved itself yet, and
/// `attempts/ACCOUNT/` with an empty file for each attempt that may count at the server. All are 0600 in 0700
/// directories of root or of the process's own user, and none is ever half-written.
public struct FileStore: ~Copyable {
    /// The part of the store that holds a registration.
    public enum Area: Sendable {
        /// What logins use.
        case users
        /// A new registration beside the one in use.
        case staging

        var directory: StaticString {
            switch self {
            case .users: "users"
            case .staging: "staging"
            }
        }
    }

    /// The default directory of the store.
    public static let standardDirectory = "/var/lib/mpin"

    /// ``account`` as bytes.
    let accountName: ByteText
    /// Whether this is what logins use, or the place of a new registration.
    public let area: Area
    private let root: Descriptor
    let records: Descriptor

    /// The largest file of the store, in bytes.
    static let fileLimit = 65_536

    /// Opens the part of a store that belongs to an account.
    ///
    /// - Parameters:
    ///   - directory: absolute path of the store.
    ///   - account: the name of the Unix account.
    ///   - area: what logins use, or the place of a new registration beside it.
    ///   - create: whether missing directories are made. Without, nothing is written.
    package init(
        directory: ByteText, account: ByteText, area: Area = .users, create: Bool = false
    ) throws(StoreError) {
        guard FileStore.isFileName(account) else { throw .badAccountName }
        let opened = unsafe mpin_directory_open(directory.cString, create ? 1 : 0, 1)
        let root = try Descriptor(opened, missing: .noStore)
        try self.init(root: root, account: account, area: area, create: create)
    }

    /// Whether an account's name can be the name of a file: no path, nothing hidden, no control characters.
    static func isFileName(_ name: ByteText) -> Bool {
        guard 1...128 ~= name.count, name.bytes[0] != UInt8(ascii: ".") else { return false }
        for byte in name.bytes where byte <= 0x20 || byte == 0x7f || byte == UInt8(ascii: "/") { return false }
        return true
    }

    /// Another part of the same store, for the same account.
    borrowing func beside(_ area: Area, create: Bool) throws(StoreError) -> FileStore {
        try FileStore(root: root.enter(".", create: false), account: accountName, area: area, create: create)
    }

    private init(root: consuming Descriptor, account: ByteText, area: Area, create: Bool) throws(StoreError) {
        records = try FileStore.enter(area, of: root, create: create)
        self.root = root
        accountName = account
        self.area = area
    }

    /// Opens a part of a store.
    ///
    /// - Throws: ``StoreError/notEnrolled`` where it is not there; for the records themselves only in a store that
    ///   holds nothing else either. The first registration makes `users` before anything, so that anything else in the
    ///   store proves that there was a registration.
    static func enter(
        _ area: Area, of root: borrowing Descriptor, create: Bool
    ) throws(StoreError) -> Descriptor {
        do throws(StoreError) { return try root.enter(area.directory, create: create) } catch {
            if case .notEnrolled = error, area == .users, mpin_directory_is_used(root.number) != 0 {
                throw .damaged("its records directory is missing")
            }
            throw error
        }
    }

    private var recordName: ByteText { accountName + ".json" }

    /// Takes the lock under which the files of this account are changed, across processes. Never held over the network.
    ///
    /// Needs no right to write. Where no registration has made the lock file, the record itself is locked.
    borrowing func lock(until deadline: Deadline, create: Bool) throws(StoreError) -> Descriptor {
        guard area == .users else {
            let users = try root.enter(Area.users.directory, create: create)
            return try lock(in: users, until: deadline, create: create)
        }
        return try lock(in: records, until: deadline, create: create)
    }

    /// Runs a closure while holding that lock.
    borrowing func withLock<R>(
        until deadline: Deadline, create: Bool, _ work: (borrowing FileStore) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let lock = try lock(until: deadline, create: create)
        return try withExtendedLifetime(lock) { () throws(StoreError) in try work(self) }
    }

    private borrowing func lock(
        in users: borrowing Descriptor, until deadline: Deadline, create: Bool
    ) throws(StoreError) -> Descriptor {
        let directory = users.number
        let lockName = (accountName + ".lock").cString
        var taken = unsafe mpin_lock_take(directory, lockName, create ? 1 : 0, deadline.nanoseconds)
        var isMissing = taken == -Int32(MPIN_ENOENT)
        if taken < 0, create, case .failed = StoreError(code: taken) { isMissing = true }
        if isMissing {
            let record = unsafe mpin_lock_take(directory, recordName.cString, 0, deadline.nanoseconds)
            // Why no lock file could be made says more than that there is no record.
            if record != -Int32(MPIN_ENOENT) { taken = record }
        }
        return try Descriptor(lock: taken)
    }

    /// Waits for the other logins of this account, a second at most, and has those that follow wait for this one.
    ///
    /// - Returns: what holds the turn; `nil` when it did not come in time or cannot be had.
    borrowing func turn(until deadline: Deadline) -> Descriptor? {
        let wait = min(deadline.nanoseconds, Deadline(millisecondsFromNow: 1000).nanoseconds)
        let taken = unsafe mpin_lock_take(records.number, recordName.cString, 0, wait)
        do throws(StoreError) { return try Descriptor(lock: taken) } catch { return nil }
    }

    /// The directory with the notes of the account's login attempts; `nil` where there is none or none can be made.
    borrowing func attempts(create: Bool) -> Descriptor? {
        let opened = unsafe mpin_attempts_open(root.number, accountName.cString, create ? 1 : 0)
        do throws(StoreError) { return try Descriptor(opened, missing: .notEnrolled) } catch { return nil }
    }

    /// Reads the account's records.
    ///
    /// - Throws: ``StoreError/notEnrolled`` only when the file is proven not to be there.
    borrowing func readRecords() throws(StoreError) -> SecretBytes {
        try records.read(recordName, limit: FileStore.fileLimit)
    }

    /// Puts records in place of the old ones, durably. The caller holds the lock.
    borrowing func writeRecords(_ content: borrowing SecretBytes) throws(StoreError) {
        try records.replace(recordName, with: content)
    }

    /// Gives the file with the account's records, or a copy of it, a name that says that it cannot be read.
    ///
    /// - Returns: the name, relative to the store. The caller holds the lock.
    borrowing func setAsideRecords(copying: Bool) throws(StoreError) -> ByteText {
        var number: Int32
        if copying {
            number = try readRecords().withBytes { bytes in
                unsafe bytes.withUnsafeBufferPointer { bytes in
                    unsafe mpin_file_set_aside(records.number, recordName.cString, bytes.baseAddress, bytes.count)
                }
            }
        } else {
            number = unsafe mpin_file_set_aside(records.number, recordName.cString, nil, 0)
        }
        guard number >= 0 else { throw StoreError(code: number) }
        var name = ByteText(area.directory) + "/" + recordName + ".bad"
        guard number != 0 else { return name }
        name.append(".")
        name.append(decimal: Int(number))
        return name
    }

    /// Whether records of the account that could not be read are kept beside its own.
    borrowing func hasRecordsAside() throws(StoreError) -> Bool {
        let found = unsafe mpin_file_is_set_aside(records.number, recordName.cString)
        guard found >= 0 else { throw StoreError(code: found) }
        return found > 0
    }

    /// Removes the account's records, durably, and then the lock. The caller holds it.
    borrowing func removeRecords() throws(StoreError) {
        try records.remove(recordName)
        do { try records.remove(accountName + ".lock") } catch {}
    }

    /// Reads what the last login left to spare the next one requests; nothing where that is not to be had.
    borrowing func readCache() -> SecretBytes? {
        do { return try root.enter("cache", create: false).read(recordName, limit: FileStore.fileLimit) } catch {
            return nil
        }
    }

    /// Leaves something for the next login. A read-only or full file system is no reason to fail.
    borrowing func writeCache(_ content: borrowing SecretBytes) {
        do { try root.enter("cache", create: true).replace(recordName, with: content) } catch {}
    }

    borrowing func removeCache() {
        do { try root.enter("cache", create: false).remove(recordName) } catch {}
    }
}
