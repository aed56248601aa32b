// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// A distributed trust authority. It has a master share, and gives shares of secrets for queries that the relying party
/// has signed.
///
/// A class, because the master share cannot be copied. It never changes.
final class Authority: @unchecked Sendable {
    /// How long a query may be valid: the time that the relying party signs, and a minute by which its clock may be
    /// ahead.
    private static let longestSeconds = Registrar.signatureSeconds + 60

    private let authority: TrustAuthority
    private let appID: String
    private let clientSecretKey: any QuestionVerifier
    private let timePermitKey: any QuestionVerifier

    init(
        _ authority: consuming TrustAuthority, appID: String, clientSecretKey: any QuestionVerifier,
        timePermitKey: any QuestionVerifier
    ) {
        self.authority = authority
        (self.appID, self.clientSecretKey) = (appID, clientSecretKey)
        self.timePermitKey = timePermitKey
    }

    /// This authority's part of the server secret, 128 bytes, for the relying party in the same process.
    func serverShare() throws(CryptoError) -> SecretBytes { try authority.serverShare() }

    var isLocked: Bool { authority.isLocked }

    /// This authority's share of a client secret, 65 bytes.
    ///
    /// - Throws: ``Refusal`` 401 for a wrong signature, 408 for one that has expired or expires too late.
    func clientShare(_ query: ShareQuery, at now: Timestamp) throws -> SecretBytes {
        guard let hash = query.hashMPinID else { throw Refusal(403, "Missing argument hash_mpin_id") }
        let parts = SignedParts.clientSecret(appID: query.appID, hash: hash.bytes, expires: query.expires)
        try demand(query, signedBy: clientSecretKey, parts, at: now)
        return try authority.clientShare(hashedID: hash.bytes)
    }

    /// This authority's part of the server secret, 128 bytes, for a relying party on another host.
    ///
    /// - Throws: ``Refusal`` 401 for a wrong signature, 408 for one that has expired or expires too late.
    func serverShare(_ query: ShareQuery, signedBy key: any QuestionVerifier, at now: Timestamp) throws -> SecretBytes {
        try demand(query, signedBy: key, SignedParts.serverSecret(appID: query.appID, expires: query.expires), at: now)
        return try authority.serverShare()
    }

    private func demand(
        _ query: ShareQuery, signedBy key: any QuestionVerifier, _ parts: [String], at now: Timestamp
    ) throws {
        // The relying party signs only times of this form.
        guard query.appID.utf8.elementsEqual(appID.utf8), let end = Timestamp(utc: query.expires),
            end.zulu == query.expires, try key.verify(query.signature.bytes, parts)
        else { throw Refusal(401, "Invalid signature") }
        guard end.seconds >= now.seconds else { throw Refusal(408, "Request expired") }
        guard end.seconds <= now.seconds + Self.longestSeconds else { throw Refusal(408, "Request expires too late") }
    }

    /// This authority's share of the time permit for the signed day: today, yesterday in the first hour of a day, or
    /// tomorrow in its last minute.
    ///
    /// - Throws: ``Refusal`` 401 for a signature of another day.
    func permitShare(_ query: PermitQuery, at now: Timestamp) throws -> SecretBytes {
        try permitShare(query, for: day(of: query, at: now))
    }

    /// This authority's share of the time permit for a day that ``day(of:at:)`` has found.
    func permitShare(_ query: PermitQuery, for day: PermitDay) throws(CryptoError) -> SecretBytes {
        try authority.permitShare(hashedID: query.hashMPinID.bytes, day: day)
    }

    /// The day that was signed.
    ///
    /// - Throws: ``Refusal`` 401 if it is not one of the days for which there are shares now.
    func day(of query: PermitQuery, at now: Timestamp) throws -> PermitDay {
        for day in PermitDays.asked(at: now) {
            let parts = SignedParts.timePermit(appID: appID, hash: query.hashMPinID.bytes, day: day)
            if try timePermitKey.verify(query.signature.bytes, parts) { return day }
        }
        throw Refusal(401, "Invalid signature")
    }
}

/// The days whose time permits are valid at a time.
enum PermitDays {
    /// Today, and in the first hour of a day also yesterday, for logins that began before midnight.
    static func accepted(at now: Timestamp) -> [PermitDay] {
        let days = now.hour == 0 ? [now.day, now.day - 1] : [now.day]
        return days.compactMap { PermitDay($0) }
    }

    /// The days for which an authority gives shares. The relying party's clock may be a minute ahead.
    static func asked(at now: Timestamp) -> [PermitDay] {
        let next = now.adding(seconds: 60).day
        return accepted(at: now) + (next > now.day ? [PermitDay(next)].compactMap { $0 } : [])
    }

    /// The day before those, which a client uses that has not noticed the end of its day.
    static func over(at now: Timestamp) -> [PermitDay] {
        [now.hour == 0 ? now.day - 2 : now.day - 1].compactMap { PermitDay($0) }
    }
}
