internal import MPinCrypto
internal import MPinWire

/// What the last login of a registration left for this one.
///
/// A class because a started authentication is only lent to the calls that finish it, and they may learn something.
final class CachedLogin {
    var record: StoredLogin
    var share: SecretBytes?
    private var hasChanged = false

    init(_ record: StoredLogin, share: consuming SecretBytes? = nil) {
        self.record = record
        self.share = consume share
    }

    /// Reads it; an empty one where there is none or none that can be trusted.
    static func read(mpinID: HexText, from store: borrowing FileStore) -> CachedLogin {
        guard let content = store.readCache() else { return CachedLogin(StoredLogin(mpinID: mpinID)) }
        return content.withBytes { file in
            for range in ranges(in: file) {
                guard let login = decode(file, at: range), login.record.mpinID == mpinID else { continue }
                return login
            }
            return CachedLogin(StoredLogin(mpinID: mpinID))
        }
    }

    func update(_ change: (inout StoredLogin) -> Void) {
        change(&record)
        hasChanged = true
    }

    func keepShare(_ share: consuming SecretBytes, of day: PermitDay) {
        self.share = consume share
        update { $0.day = day.number }
    }

    /// Writes it beside those of other registrations, if anything changed. Failing to costs requests, not logins.
    func write(to store: borrowing FileStore) {
        guard hasChanged else { return }
        hasChanged = false
        guard var content = CachedLogin.buffer(FileStore.fileLimit) else { return }
        var length: Int?
        if let present = store.readCache() {
            length = present.withBytes { file in
                content.withMutableBytes(count: content.capacity) { target in encode(keeping: file, to: &target) }
            }
        } else {
            length = content.withMutableBytes(count: content.capacity) { target in
                encode(keeping: Span(), to: &target)
            }
        }
        guard let length else { return }
        content.withMutableBytes(count: length) { _ in }
        store.writeCache(content)
    }

    private func encode(keeping file: Span<UInt8>, to target: inout MutableSpan<UInt8>) -> Int? {
        var position = StoredFile.begin(.logins, in: &target)
        for range in CachedLogin.ranges(in: file) {
            guard let other = CachedLogin.decode(file, at: range), other.record.mpinID != record.mpinID else {
                continue
            }
            position = StoredFile.keep(file.extracting(range), in: &target, at: position)
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

    private static func ranges(in file: Span<UInt8>) -> [Range<Int>] {
        do { return try StoredLogin.records(in: file) } catch { return [] }
    }

    private static func decode(_ file: Span<UInt8>, at range: Range<Int>) -> CachedLogin? {
        guard var share = buffer(RecordFile.pointSize) else { return nil }
        let record = share.withMutableBytes(count: RecordFile.pointSize) { target -> StoredLogin? in
            try? StoredLogin.decode(file, at: range, share: &target)
        }
        guard let record else { return nil }
        return record.day == nil ? CachedLogin(record) : CachedLogin(record, share: consume share)
    }

    private static func buffer(_ capacity: Int) -> SecretBytes? {
        do { return try SecretBytes(capacity: capacity) } catch { return nil }
    }
}
