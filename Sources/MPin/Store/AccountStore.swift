// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinCrypto
internal import MPinWire

#if !hasFeature(Embedded)
/// The store of a client: files, or a place of the application's own. The module has only files; see
/// `ModuleStore.swift`.
enum AccountStore {
    case files(FileStore)
    case own(OwnStore)

    var area: FileStore.Area {
        switch self {
        case .files(let store): store.area
        case .own(let store): store.area
        }
    }

    /// The user ID of the account; nil if the store's user decides.
    var owner: UInt32? {
        switch self {
        case .files(let store): store.owner
        case .own: nil
        }
    }

    /// Waits for a lock end when there is something to read from this descriptor.
    func stop(at descriptor: Int32) { if case .files(let store) = self { store.stop = descriptor } }

    /// Another area of the same store, for the same account.
    func beside(_ area: FileStore.Area, create: Bool) throws(StoreError) -> AccountStore {
        switch self {
        case .files(let store): .files(try store.beside(area, create: create))
        case .own(let store): .own(OwnStore(store.place, area))
        }
    }

    /// Takes the lock for changes of this account's records. It is never held during a request.
    func lock(until deadline: Deadline, create: Bool) throws(StoreError) -> StoreLock {
        switch self {
        case .files(let store): .file(try store.lock(until: deadline, create: create))
        case .own(let store): .own(try OwnLock(store.place))
        }
    }

    /// Runs a closure while holding that lock.
    func withLock<R>(
        until deadline: Deadline, create: Bool, _ work: (AccountStore) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let lock = try lock(until: deadline, create: create)
        return try withExtendedLifetime(lock) { () throws(StoreError) in try work(self) }
    }

    /// Waits for the account's other logins; nil if the turn did not come in time, or the store has none.
    func turn(until deadline: Deadline) -> Descriptor? {
        if case .files(let store) = self { store.turn(until: deadline) } else { nil }
    }

    /// The directory with the notes of the account's login attempts. Only files have one.
    func attempts(create: Bool) -> AttemptDirectory? {
        if case .files(let store) = self { store.attempts(create: create) } else { nil }
    }

    func readRecords() throws(StoreError) -> SecretBytes {
        switch self {
        case .files(let store): try store.readRecords()
        case .own(let store): try store.read(store.record)
        }
    }

    /// Reads the account's records and lends them to a closure.
    func withRecords<R>(_ work: (Span<UInt8>) throws(StoreError) -> R) throws(StoreError) -> R {
        switch self {
        case .files(let store): try store.withRecords(work)
        case .own(let store): try store.read(store.record).withBytes(work)
        }
    }

    /// Replaces the account's records. The caller holds the lock.
    func writeRecords(_ content: borrowing SecretBytes) throws(StoreError) {
        switch self {
        case .files(let store): try store.writeRecords(content)
        case .own(let store): try store.write(store.record, content)
        }
    }

    /// Removes the account's records. The caller holds the lock.
    func removeRecords() throws(StoreError) {
        switch self {
        case .files(let store): try store.removeRecords()
        case .own(let store): try store.remove(store.record)
        }
    }

    /// Whether the account has a file with records that could not be read.
    func hasRecordsAside() throws(StoreError) -> Bool {
        if case .files(let store) = self { try store.hasRecordsAside() } else { false }
    }

    /// Reads the cached data of the last login and lends it to a closure; nothing if it is not available.
    func withCache<R>(_ work: (Span<UInt8>) -> R) -> R {
        switch self {
        case .files(let store): return store.withCache(work)
        case .own(let store):
            do throws(StoreError) { return try store.read(.cache).withBytes(work) } catch { return work(Span()) }
        }
    }

    /// Caches data for the next login. A failure is ignored.
    func writeCache(_ content: borrowing SecretBytes) {
        switch self {
        case .files(let store): store.writeCache(content)
        case .own(let store): do throws(StoreError) { try store.write(.cache, content) } catch {}
        }
    }

    func removeCache() {
        switch self {
        case .files(let store): store.removeCache()
        case .own(let store): do throws(StoreError) { try store.remove(.cache) } catch {}
        }
    }
}

/// A lock of a store, released when it is destroyed.
enum StoreLock: ~Copyable {
    case file(Descriptor)
    case own(OwnLock)
}

extension FileStore {
    var ofAccount: AccountStore { .files(self) }
}
#endif
