// SPDX-License-Identifier: Apache-2.0
#if !hasFeature(Embedded)
internal import MPinCrypto

/// A store of the application's own for the registrations of one account, such as a keychain or a database.
///
/// It keeps a few records without reading them. The registrations contain tokens: a token and the PIN together log in,
/// and the token alone lets a thief guess. So keep them where only this user can read them, and wipe your copies.
///
/// A client calls it on one thread at a time, and never during a request. If several processes use the same records, the
/// lock must exclude the others, too. A call of the client ends only after these functions have returned, even if it is
/// canceled. Throw an ``MPinError`` made with ``MPinError/init(code:attemptsLeft:pinChecked:reason:retryAfter:)``, with the
/// code STORAGE_ERROR; the call then fails with it, and nothing has changed. Any other code becomes STORAGE_ERROR.
public protocol RegistrationStore: AnyObject {
    /// Waits until no other program changes the records.
    ///
    /// - Throws: an error if the lock is not available, usually after a second.
    func lock() throws(MPinError)

    /// Releases the lock.
    func unlock()

    /// Reads a record: lends its content to a closure, or does not call it if there is no such record.
    ///
    /// - Parameters:
    ///   - record: which record.
    ///   - use: copies the content.
    /// - Throws: an error if the record may exist but cannot be read. Without a record, there are no
    ///   registrations.
    func read(_ record: StoredRecord, _ use: (Span<UInt8>) -> Void) throws(MPinError)

    /// Replaces a record, whole or not at all, also if the power fails.
    ///
    /// - Parameters:
    ///   - record: which record.
    ///   - content: its new content, at most 65,536 bytes.
    /// - Throws: an error if the old content is still there.
    func replace(_ record: StoredRecord, with content: Span<UInt8>) throws(MPinError)

    /// Removes a record. If there is none, nothing happens.
    ///
    /// - Parameter record: which record.
    /// - Throws: an error if the record is still there.
    func remove(_ record: StoredRecord) throws(MPinError)
}

/// A record in a ``RegistrationStore``.
public enum StoredRecord: String, Sendable, CaseIterable {
    /// The registrations that logins use, with their tokens.
    case registrations
    /// The staging area: a new registration, or one with a new PIN, that has not proved itself yet.
    case staged
    /// Data that a login can fetch again. A store may ignore it: then logins make more requests.
    case cache
}

extension FileStore: RegistrationStore {
    /// Waits until no other program changes the records, for at most a second.
    ///
    /// - Throws: STORAGE_ERROR.
    public func lock() throws(MPinError) {
        do throws(StoreError) { takenLock = try lock(until: Deadline(millisecondsFromNow: 1000), create: true) } catch {
            throw MPinError(error)
        }
    }

    /// Releases the lock.
    public func unlock() { takenLock = nil }

    /// Reads a record and lends it to a closure.
    ///
    /// - Parameters:
    ///   - record: which record.
    ///   - use: is not called if there is no such record.
    /// - Throws: STORAGE_ERROR.
    public func read(_ record: StoredRecord, _ use: (Span<UInt8>) -> Void) throws(MPinError) {
        guard let area = record.area else { return withCache { if $0.count > 0 { use($0) } } }
        do throws(StoreError) { try beside(area, create: false).withRecords { use($0) } } catch {
            if case .notEnrolled = error { return }
            throw MPinError(error)
        }
    }

    /// Replaces a record.
    ///
    /// - Parameters:
    ///   - record: which record.
    ///   - content: its new content.
    /// - Throws: STORAGE_ERROR.
    public func replace(_ record: StoredRecord, with content: Span<UInt8>) throws(MPinError) {
        do throws(StoreError) {
            let copy = try OwnStore.copy(content)
            guard let area = record.area else { return writeCache(copy) }
            try beside(area, create: true).writeRecords(copy)
        } catch { throw MPinError(error) }
    }

    /// Removes a record.
    ///
    /// - Parameter record: which record.
    /// - Throws: STORAGE_ERROR.
    public func remove(_ record: StoredRecord) throws(MPinError) {
        guard let area = record.area else { return removeCache() }
        do throws(StoreError) { try beside(area, create: false).removeRecords() } catch {
            if case .notEnrolled = error { return }
            throw MPinError(error)
        }
    }
}

extension StoredRecord {
    /// The part of a ``FileStore`` with this record; nil for the cache.
    fileprivate var area: FileStore.Area? {
        switch self {
        case .registrations: .users
        case .staged: .staging
        case .cache: nil
        }
    }
}
#endif
