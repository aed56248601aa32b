// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinCrypto
package import MPinWire

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
    static func read(mpinID: HexText, from store: AccountStore) -> CachedLogin {
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
    func write(to store: AccountStore) {
        guard hasChanged else { return }
        hasChanged = false
        let soon = Deadline(millisecondsFromNow: 200)
        do throws(StoreError) { try store.withLock(until: soon, create: true, writeLocked) } catch {}
    }

    /// Writes the data; the caller holds the store's lock.
    func writeLocked(to store: AccountStore) {
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

/// The data that one login caches for the next: settings, the second permit share of a day, and the server's last
/// refusal.
///
/// All of it can be fetched again; an unreadable file counts as missing.
package final class StoredLogin {
    package static let version = 2

    package let mpinID: HexText
    /// The settings of the server, and the server's day when they were read.
    package var settings: ClientSettings?
    package var settingsDay: Int?
    /// The day of the permit share that is stored with this record.
    package var day: Int?
    package var attemptsLeft: Int?
    /// How many wrong PINs there were before the last login, as the server reported.
    package var wrongSinceLastLogin: Int?
    /// The Milagro name of the status of the last contact, if it was a permanent refusal.
    package var refusal: ByteText?
    /// The reason why an administrator revoked the registration, as the server sent it with that refusal.
    package var reason: ByteText?
    /// The time of that refusal, in seconds since 1970 by this machine's clock.
    package var refusalTime: Int?
    /// How many milliseconds the server's clock is ahead of this machine's, if the server reported a difference.
    package var clockOffset: Int?

    package init(mpinID: HexText) { self.mpinID = mpinID }

    /// Whether a server whose clock differs by less than a minute has the same day at a time in seconds since 1970.
    package static func isDayCertain(at seconds: Int64) -> Bool { 60..<86_340 ~= seconds % 86_400 }

    /// Clears the refusal: the server has accepted the registration since.
    @inline(never)
    package func forgetRefusal() {
        (refusal, reason, refusalTime) = (nil, nil, nil)
    }

    package static func records(in file: Span<UInt8>) throws(WireError) -> [JSONValue] {
        try StoredFile.records(.logins, version: version, in: file)
    }

    package static func mpinID(_ file: Span<UInt8>, at record: JSONValue) throws(WireError) -> HexText {
        try JSONObject(file, range: record.range).hexText(.mpinID, count: 1...MPinIDRecord.longest, in: file)
    }

    static func hasShare(_ file: Span<UInt8>, at record: JSONValue) -> Bool {
        do { return try JSONObject(file, range: record.range).contains(.day, in: file) } catch { return false }
    }

    /// - Parameter share: 65 bytes that receive the permit share; only valid if ``day`` is set.
    package static func decode(
        _ file: Span<UInt8>, at record: JSONValue, share: inout MutableSpan<UInt8>
    ) throws(WireError) -> StoredLogin {
        let object = try JSONObject(file, range: record.range)
        let login = StoredLogin(mpinID: try object.hexText(.mpinID, count: 1...MPinIDRecord.longest, in: file))
        if let settings = object.raw(.settings, in: file) {
            login.settings = try ClientSettings.decode(settings.span)
            login.settingsDay = try object.integer(.settingsDay, in: file)
        }
        login.day = try object.optionalInteger(.day, in: file)
        if login.day != nil {
            try object.secretPoint(.share, in: file, into: &share)
            guard try object.integer(.checksum, in: file) == login.checksum(share: share.span) else {
                throw .invalid(.checksum)
            }
        }
        login.attemptsLeft = try object.optionalInteger(.attemptsLeft, in: file)
        login.wrongSinceLastLogin = try object.optionalInteger(.wrongSinceLastLogin, in: file)
        login.refusal = try object.optionalText(.refusal, in: file)
        login.reason = try object.optionalText(.reason, in: file)
        login.refusalTime = try object.optionalInteger(.refusalTime, in: file)
        login.clockOffset = try object.optionalInteger(.clockOffset, in: file)
        return login
    }

    /// A damaged share would make every login of its day fail.
    private func checksum(share: Span<UInt8>) -> Int {
        var checksum = Checksum()
        checksum.add(share)
        return checksum.number
    }

    /// Writes one record with its share at a position of a file; see ``StoredFile``.
    package func encode(share: Span<UInt8>?, to target: inout MutableSpan<UInt8>, at position: Int?) -> Int? {
        var writer = JSONWriter()
        writer.add(.mpinID, mpinID)
        if let settings, let settingsDay {
            writer.add(.settings, json: settings.encode())
            writer.add(.settingsDay, settingsDay)
        }
        if let day, let share {
            writer.add(.day, day)
            writer.add(.checksum, checksum(share: share))
        }
        writer.add(.attemptsLeft, ifPresent: attemptsLeft)
        writer.add(.wrongSinceLastLogin, ifPresent: wrongSinceLastLogin)
        writer.add(.refusal, ifPresent: refusal)
        writer.add(.reason, ifPresent: reason)
        writer.add(.refusalTime, ifPresent: refusalTime)
        writer.add(.clockOffset, ifPresent: clockOffset)
        let start = StoredFile.open(writer.finish(), in: &target, at: position)
        let end = StoredFile.add(day == nil ? nil : share, as: .share, to: &target, at: start)
        return StoredFile.close(in: &target, at: end)
    }
}
