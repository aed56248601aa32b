// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinCrypto
package import MPinWire

/// The directory with one account's records, opened once and used through its descriptors.
///
/// The store's directory contains `users/ACCOUNT.json` with the registrations and tokens, `cache/ACCOUNT.json` with
/// data that a login can fetch again, `staging/ACCOUNT.json` with a registration that has not proved itself yet, and
/// `attempts/ACCOUNT/` with an empty file for each attempt that may count at the server. All have mode 0600 in 0700
/// directories that belong to root or to the process's own user, and no file is ever half-written.
///
/// It is not `Sendable`, because it has no lock of its own: pass it to one client. Several clients, in one process or in
/// many, may each open the same directory.
public final class FileStore {
    /// The part of the store that holds a registration.
    public enum Area: Sendable {
        /// The registrations that logins use.
        case users
        /// The staging area: a new registration beside the one in use.
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
    /// The user ID of the account; records of another one count as absent. Nil if the store's user decides.
    let owner: UInt32?
    /// Whether this store contains what logins use, or a new registration.
    public let area: Area
    private let root: Descriptor
    let records: Descriptor
    private var openCache: KeptDirectory?
    private var openAttempts: AttemptDirectory?
    /// A buffer for a file, because a login reads several.
    private var page: SecretBytes?
    #if hasFeature(Embedded)
    private var stop: Int32 { 0 }
    #else
    /// The path of the store.
    let directory: ByteText
    /// A descriptor that ends waits for a lock when there is something to read from it; 0 for none.
    var stop: Int32 = 0
    /// The lock that an application has taken.
    var takenLock: Descriptor?
    #endif

    /// The largest file of the store, in bytes.
    static let fileLimit = 65_536

    /// Opens the part of a store that belongs to an account.
    ///
    /// - Parameters:
    ///   - owner: its user ID, if another user with the same name must not get its records.
    ///   - area: the records that logins use, or the staging area for a new registration.
    ///   - create: whether to create missing directories. Otherwise nothing is written.
    package convenience init(
        directory: ByteText, account: ByteText, owner: UInt32?, area: Area = .users, create: Bool = false
    ) throws(StoreError) {
        guard FileStore.isFileName(account) else { throw .badAccountName }
        let opened = unsafe mpin_directory_open(directory.cString, create ? 1 : 0, 1)
        let root = try Descriptor(opened, missing: .noStore)
        try self.init(root: root, directory, account: account, owner: owner, area: area, create: create)
    }

    /// Whether an account's name can be the name of a file: not a path, not hidden, no control characters.
    static func isFileName(_ name: ByteText) -> Bool {
        guard 1...128 ~= name.count, name.bytes[0] != UInt8(ascii: ".") else { return false }
        for byte in name.bytes where byte <= 0x20 || byte == 0x7f || byte == UInt8(ascii: "/") { return false }
        return true
    }

    /// Opens another area of the same store, for the same account.
    func beside(_ area: Area, create: Bool) throws(StoreError) -> FileStore {
        let root = try root.enter(".", create: false)
        #if hasFeature(Embedded)
        let directory = ByteText()
        #endif
        let other = try FileStore(
            root: root, directory, account: accountName, owner: owner, area: area, create: create)
        #if !hasFeature(Embedded)
        other.stop = stop
        #endif
        return other
    }

    private init(
        root: consuming Descriptor, _ directory: ByteText, account: ByteText, owner: UInt32?, area: Area, create: Bool
    ) throws(StoreError) {
        records = try FileStore.enter(area, of: root, create: create)
        self.root = root
        (accountName, self.owner) = (account, owner)
        self.area = area
        #if !hasFeature(Embedded)
        self.directory = directory
        #endif
    }

    /// - Throws: ``StoreError/notEnrolled`` if the area does not exist. For the records themselves, this is thrown only
    ///   if the store contains nothing else either: the first registration creates `users` before anything else, so any
    ///   other content proves that there was a registration.
    static func enter(_ area: Area, of root: borrowing Descriptor, create: Bool) throws(StoreError) -> Descriptor {
        do throws(StoreError) { return try root.enter(area.directory, create: create) } catch {
            if case .notEnrolled = error, area == .users, mpin_directory_is_used(root.number) != 0 {
                throw .damaged("its records directory is missing")
            }
            throw error
        }
    }

    private var recordName: ByteText { accountName + ".json" }

    /// Takes the lock for changes of this account's files, across processes. It is never held during a request.
    ///
    /// Write permission is not needed. If no registration has created the lock file, the record itself is locked.
    func lock(until deadline: Deadline, create: Bool) throws(StoreError) -> Descriptor {
        guard area == .users else {
            let users = try root.enter(Area.users.directory, create: create)
            return try lock(in: users, until: deadline, create: create)
        }
        return try lock(in: records, until: deadline, create: create)
    }

    /// Runs a closure while holding that lock.
    func withLock<R>(
        until deadline: Deadline, create: Bool, _ work: (borrowing FileStore) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let lock = try lock(until: deadline, create: create)
        return try withExtendedLifetime(lock) { () throws(StoreError) in try work(self) }
    }

    private func lock(
        in users: borrowing Descriptor, until deadline: Deadline, create: Bool
    ) throws(StoreError) -> Descriptor {
        let directory = users.number
        let lockName = (accountName + ".lock").cString
        var taken = unsafe mpin_lock_take(directory, lockName, create ? 1 : 0, deadline.nanoseconds, stop)
        var isMissing = taken == -Int32(MPIN_ENOENT)
        if taken < 0, create, case .failed = StoreError(code: taken) { isMissing = true }
        if isMissing {
            let record = unsafe mpin_lock_take(directory, recordName.cString, 0, deadline.nanoseconds, stop)
            // The reason why no lock file could be created is more useful than that there is no record.
            if record != -Int32(MPIN_ENOENT) { taken = record }
        }
        return try Descriptor(lock: taken)
    }

    /// Waits for the account's other logins, at most a second, and makes later ones wait for this one.
    ///
    /// - Returns: the descriptor that holds the turn; `nil` if it did not come in time or is not available.
    func turn(until deadline: Deadline) -> Descriptor? {
        let wait = min(deadline.nanoseconds, Deadline(millisecondsFromNow: 1000).nanoseconds)
        let taken = unsafe mpin_lock_take(records.number, recordName.cString, 0, wait, stop)
        do throws(StoreError) { return try Descriptor(lock: taken) } catch { return nil }
    }

    /// The directory with the notes of the account's login attempts; `nil` if there is none or none can be created.
    func attempts(create: Bool) -> AttemptDirectory? {
        if let open = openAttempts { return open }
        let opened = unsafe mpin_attempts_open(root.number, accountName.cString, create ? 1 : 0)
        guard opened >= 0 else { return nil }
        let open = AttemptDirectory(OpenFile(opened))
        openAttempts = open
        return open
    }

    /// - Throws: ``StoreError/notEnrolled`` only if the file is proven not to exist.
    func readRecords() throws(StoreError) -> SecretBytes {
        var content: SecretBytes
        do { content = try SecretBytes(capacity: FileStore.fileLimit) } catch { throw .noMemory }
        try records.read(recordName, into: &content)
        return content
    }

    /// Reads the account's records and lends them to a closure.
    ///
    /// - Throws: ``StoreError/notEnrolled`` only if the file is proven not to exist.
    func withRecords<R>(_ work: (Span<UInt8>) throws(StoreError) -> R) throws(StoreError) -> R {
        var page = try takePage()
        let result: Result<R, StoreError>
        do throws(StoreError) {
            try records.read(recordName, into: &page)
            result = .success(try page.withBytes(work))
        } catch { result = .failure(error) }
        givePage(page)
        return try result.get()
    }

    /// Replaces the account's records, durably. The caller holds the lock.
    func writeRecords(_ content: borrowing SecretBytes) throws(StoreError) {
        try records.replace(recordName, with: content)
    }

    /// Gives the file with the account's records, or a copy of it, a name that marks it as unreadable.
    ///
    /// - Returns: the name, relative to the store. The caller holds the lock.
    func setAsideRecords(copying: Bool) throws(StoreError) -> ByteText {
        let number =
            if copying {
                unsafe try readRecords().withPointer {
                    unsafe mpin_file_set_aside(records.number, recordName.cString, $0, $1)
                }
            } else { unsafe mpin_file_set_aside(records.number, recordName.cString, nil, 0) }
        guard number >= 0 else { throw StoreError(code: number) }
        var name = ByteText(area.directory) + "/" + recordName + ".bad"
        guard number != 0 else { return name }
        name.append(".")
        name.append(decimal: Int(number))
        return name
    }

    /// Whether the account has a file with records that could not be read.
    func hasRecordsAside() throws(StoreError) -> Bool {
        let found = unsafe mpin_file_is_set_aside(records.number, recordName.cString)
        guard found >= 0 else { throw StoreError(code: found) }
        return found > 0
    }

    /// Removes the account's records, durably, and then the lock. The caller holds it.
    func removeRecords() throws(StoreError) {
        try records.remove(recordName)
        do { try records.remove(accountName + ".lock") } catch {}
    }

    private func cache(create: Bool) throws(StoreError) -> KeptDirectory {
        if let open = openCache, !create || !open.isRemoved { return open }
        let open = KeptDirectory(try root.enter("cache", create: create))
        openCache = open
        return open
    }

    /// Reads the cached data of the last login and lends it to a closure; nothing if it is not available.
    func withCache<R>(_ work: (Span<UInt8>) -> R) -> R {
        do throws(StoreError) {
            var page = try takePage()
            do throws(StoreError) { try cache(create: false).descriptor.read(recordName, into: &page) } catch {}
            let result = page.withBytes(work)
            givePage(page)
            return result
        } catch { return work(Span()) }
    }

    /// Caches data for the next login. A read-only or full file system is ignored.
    func writeCache(_ content: borrowing SecretBytes) {
        do { try cache(create: true).descriptor.replace(recordName, with: content) } catch {}
    }

    func removeCache() { do { try cache(create: false).descriptor.remove(recordName) } catch {} }

    /// An empty buffer for a file. The caller gives it back.
    private func takePage() throws(StoreError) -> SecretBytes {
        if let page = page.take() { return page }
        do { return try SecretBytes(capacity: FileStore.fileLimit) } catch { throw .noMemory }
    }

    private func givePage(_ page: consuming SecretBytes) {
        page.withMutableBytes(count: 0) { _ in }
        self.page = consume page
    }
}
