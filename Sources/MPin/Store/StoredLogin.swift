// SPDX-License-Identifier: Apache-2.0
package import MPinWire

/// The data that one login caches for the next: settings, the second permit share of a day, and the server's last
/// refusal.
///
/// All of it can be fetched again; an unreadable file counts as missing.
package final class StoredLogin {
    /// The version of the file.
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

    /// The positions of the records in a file.
    package static func records(in file: Span<UInt8>) throws(WireError) -> [JSONValue] {
        try StoredFile.records(.logins, version: version, in: file)
    }

    /// The M-Pin ID of a record.
    package static func mpinID(_ file: Span<UInt8>, at record: JSONValue) throws(WireError) -> HexText {
        try JSONObject(file, range: record.range).hexText(.mpinID, count: 1...MPinIDRecord.longest, in: file)
    }

    /// Whether a record has a permit share.
    static func hasShare(_ file: Span<UInt8>, at record: JSONValue) -> Bool {
        do { return try JSONObject(file, range: record.range).contains(.day, in: file) } catch { return false }
    }

    /// Reads one record.
    ///
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
