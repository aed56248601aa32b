// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinCrypto
internal import MPinWire

/// The cached data of a registration's last login.
///
/// It is a class because a started login is only lent to the calls that finish it, and they may have to change the
/// cache.
final class CachedLogin {
    let record: StoredLogin
    var share: SecretBytes?
    private var hasChanged = false

    init(_ record: StoredLogin, share: consuming SecretBytes? = nil) {
        self.record = record
        self.share = consume share
    }

    /// Reads the cached data; empty if there is none or it cannot be trusted.
    static func read(mpinID: HexText, from store: borrowing FileStore) -> CachedLogin {
        store.withCache { file in
            for record in records(in: file) where isRecord(record, of: mpinID, in: file) {
                if let login = decode(file, at: record) { return login }
            }
            return CachedLogin(StoredLogin(mpinID: mpinID))
        }
    }

    /// Changes the record and marks it for writing.
    func change(_ change: (StoredLogin) -> Void) {
        change(record)
        hasChanged = true
    }

    /// Caches a share for its day. In the minute before and after midnight (UTC) its day is uncertain, so it is not
    /// cached.
    func keepShare(_ share: consuming SecretBytes, of day: PermitDay) {
        guard StoredLogin.isDayCertain(at: mpin_wall_seconds()) else { return }
        self.share = consume share
        record.day = day.number
        hasChanged = true
    }

    /// Writes the data beside that of other registrations, if anything changed. A failure costs requests, not logins.
    func write(to store: borrowing FileStore) {
        guard hasChanged else { return }
        hasChanged = false
        let soon = Deadline(millisecondsFromNow: 200)
        do throws(StoreError) { try store.withLock(until: soon, create: true, writeLocked) } catch {}
    }

    /// Writes the data; the caller holds the store's lock.
    func writeLocked(to store: borrowing FileStore) {
        guard var content = CachedLogin.buffer(FileStore.fileLimit) else { return }
        let length = store.withCache { file in
            content.withMutableBytes(count: content.capacity) { target in encode(keeping: file, to: &target) }
        }
        guard let length else { return }
        content.withMutableBytes(count: length) { _ in }
        store.writeCache(content)
    }

    private func encode(keeping file: Span<UInt8>, to target: inout MutableSpan<UInt8>) -> Int? {
        var position = StoredFile.begin(.logins, version: StoredLogin.version, in: &target)
        for other in CachedLogin.records(in: file) {
            // Unreadable records are not copied.
            guard !CachedLogin.isRecord(other, of: record.mpinID, in: file), CachedLogin.decode(file, at: other) != nil
            else { continue }
            position = StoredFile.keep(file.extracting(other.range), in: &target, at: position)
            position = StoredFile.separate(in: &target, at: position)
        }
        if let share = share.take() {
            position = share.withBytes { record.encode(share: $0, to: &target, at: position) }
            self.share = consume share
        } else {
            position = record.encode(share: nil, to: &target, at: position)
        }
        return StoredFile.end(in: &target, at: position)
    }

    private static func isRecord(_ record: JSONValue, of mpinID: HexText, in file: Span<UInt8>) -> Bool {
        do { return try StoredLogin.mpinID(file, at: record) == mpinID } catch { return false }
    }

    private static func records(in file: Span<UInt8>) -> [JSONValue] {
        do { return try StoredLogin.records(in: file) } catch { return [] }
    }

    private static func decode(_ file: Span<UInt8>, at record: JSONValue) -> CachedLogin? {
        guard StoredLogin.hasShare(file, at: record) else {
            var none = MutableSpan<UInt8>()
            return (try? StoredLogin.decode(file, at: record, share: &none)).map { CachedLogin($0) }
        }
        guard var share = buffer(RecordFile.pointSize) else { return nil }
        let login = share.withMutableBytes(count: RecordFile.pointSize) { target -> StoredLogin? in
            try? StoredLogin.decode(file, at: record, share: &target)
        }
        guard let login else { return nil }
        return login.day == nil ? CachedLogin(login) : CachedLogin(login, share: consume share)
    }

    private static func buffer(_ capacity: Int) -> SecretBytes? {
        do { return try SecretBytes(capacity: capacity) } catch { return nil }
    }
}
