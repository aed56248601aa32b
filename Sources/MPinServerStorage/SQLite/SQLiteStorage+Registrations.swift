// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB

extension SQLiteStorage {
    /// The registration of an M-Pin ID, by the ID's SHA-256.
    package func registration(_ hash: [UInt8]) throws(ServerError) -> RegistrationEntry? {
        try readOnce { database in
            let statement = try database.cachedStatement(
                sql: "SELECT \(RegistrationEntry.columns) FROM registration WHERE hash = ?")
            return try Row.fetchOne(statement, arguments: [Data(hash)]).map { try RegistrationEntry($0) }
        }
    }

    package func countRegistrationsWithoutKey() throws(ServerError) -> Int {
        try read { database in
            try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM registration WHERE deviceKey IS NULL AND revoked IS NULL AND state = ?",
                arguments: [RegistrationEntry.State.registered.rawValue]) ?? 0
        }
    }

    /// Whether at least so many registrations are unfinished and have not expired.
    package func hasUnfinishedRegistrations(_ count: Int, now: Int64) throws(ServerError) -> Bool {
        try readOnce { database in
            try Self.exists(
                "registration WHERE state IN (0, 1) AND expires > ? LIMIT 1 OFFSET ?", [now, count - 1], in: database)
        }
    }

    /// Makes a registration and consumes its code in the same transaction. A registration of a suspended user becomes
    /// active only with an administrator's invitation.
    ///
    /// - Parameter code: the keyed hash of the code; nil if none is needed.
    /// - Returns: the registration; nil, and nothing changed, if the code is not valid for this user now.
    package func addRegistration(
        _ new: NewRegistration, code: AdmissionCode?, event: AuditEvent
    ) throws(ServerError) -> AddedRegistration? {
        try write { database -> AddedRegistration? in
            var isInvited = false
            if let code {
                let admission = try Self.redeem(
                    code, user: new.user, for: new.hash, key: new.deviceKey, at: event.time, source: event.source,
                    in: database)
                guard let admission else { return nil }
                isInvited = admission == .administrator
            }
            // Expired registrations are deleted to make room.
            try Self.purgeRegistrations(now: new.created, in: database)
            let made = try Self.insert(new, isInvited: isInvited, userData: new.userData, in: database)
            try Self.record([event], in: database)
            var left: Int?
            if case .backup = code { left = try Self.countBackupCodes(of: new.user, in: database) }
            return AddedRegistration(state: made.state, number: made.number, backupCodes: left)
        }
    }

    /// Adds a registration, inside a transaction. It is held if its user is suspended and no administrator has invited it.
    static func insert(
        _ new: NewRegistration, isInvited: Bool, userData: String?, in database: Database
    ) throws -> (number: Int, state: RegistrationEntry.State) {
        let number = try nextNumber(of: new.user, in: database)
        let state = try Int.fetchOne(
            database,
            sql: """
                INSERT INTO registration (
                    hash, number, user, device, mobile, state, ott, created, expires, userData, invited, deviceKey
                ) SELECT :hash, :number, user, :device, :mobile, CASE WHEN \(isAdmitted) THEN :state ELSE :held END,
                    :ott, :created, :expires, :userData, invited, :deviceKey
                FROM (SELECT :user AS user, :invited AS invited) AS registration
                RETURNING state
                """,
            arguments: [
                "hash": Data(new.hash), "number": number, "user": new.user, "device": new.device, "mobile": new.mobile,
                "state": new.state.rawValue, "held": RegistrationEntry.State.held.rawValue, "ott": Data(new.ott),
                "created": new.created, "expires": new.expires, "userData": userData, "invited": isInvited,
                "deviceKey": new.deviceKey.map { Data($0) },
            ])
        return (number, state.flatMap { RegistrationEntry.State(rawValue: $0) } ?? .held)
    }

    /// Who made the code that admits a registration.
    private enum Admission { case administrator, owner }

    /// Consumes a code, inside a transaction.
    ///
    /// - Parameter key: the device key of a registration that is made; nil if there is none.
    /// - Returns: nil, and nothing changed, if it is not valid for this user now.
    private static func redeem(
        _ code: AdmissionCode, user: String, for hash: [UInt8], key: [UInt8]? = nil, at now: Timestamp,
        source: String?, in database: Database
    ) throws -> Admission? {
        switch code {
        case .invitation(let code):
            let maker = try maker(ofInvitation: code, in: database)
            // A code that users make for themselves gives no more rights than they have.
            if let maker, try !mayMakeCodes(Array(maker), of: user, in: database) { return nil }
            let isGood = try redeemInvitation(
                code, user: user, for: hash, key: key, at: now, source: source, in: database)
            return isGood ? maker == nil ? .administrator : .owner : nil
        case .backup(let code):
            return try redeemBackupCode(code, user: user, for: hash, at: now, in: database) ? .owner : nil
        }
    }

    private static func nextNumber(of user: String, in database: Database) throws -> Int {
        try Int.fetchOne(
            database,
            sql: """
                INSERT INTO numbering (user, last) VALUES (?, 1)
                ON CONFLICT (user) DO UPDATE SET last = last + 1 RETURNING last
                """, arguments: [user]) ?? 1
    }

    /// Restarts a registration under its M-Pin ID and one-time token.
    ///
    /// - Parameters:
    ///   - code: the keyed hash of a code that activates it; nil keeps its state.
    ///   - activates: whether it becomes active without a code.
    /// - Returns: whether it is active now; nil, and nothing changed, if the code is not valid for this user.
    package func restartRegistration(
        _ hash: [UInt8], code: AdmissionCode?, activates: Bool, device: String, userData: String?, now: Int64,
        expires: Int64, event: AuditEvent
    ) throws(ServerError) -> Bool? {
        try write { database in
            try Self.undoingNil(in: database) {
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        UPDATE registration
                        SET state = CASE WHEN :activates AND \(Self.isAdmitted) THEN :activated ELSE state END,
                            device = :device, expires = :expires, userData = coalesce(:userData, userData)
                        WHERE hash = :hash AND state IN (:held, :activated) AND revoked IS NULL AND expires > :now
                        RETURNING user, state
                        """,
                    arguments: [
                        "activates": activates, "device": device, "expires": expires, "userData": userData,
                        "now": now, "hash": Data(hash), "held": RegistrationEntry.State.held.rawValue,
                        "activated": RegistrationEntry.State.activated.rawValue,
                    ])
                guard let row else { return nil }
                var isActive = row["state"] == RegistrationEntry.State.activated.rawValue
                if !isActive, let code {
                    let admission = try Self.redeem(
                        code, user: row["user"], for: hash, at: event.time, source: event.source, in: database)
                    guard let admission, try Self.admit(hash, isInvited: admission == .administrator, in: database)
                    else { return nil }
                    isActive = true
                }
                try Self.record([event], in: database)
                return isActive
            }
        }
    }

    /// Activates a registration for which a code was consumed.
    ///
    /// - Returns: false, and nothing changed, if it does not wait for a code.
    private static func admit(_ hash: [UInt8], isInvited: Bool, in database: Database) throws -> Bool {
        try database.execute(
            sql: """
                UPDATE registration SET state = ?, invited = max(invited, ?)
                WHERE hash = ? AND state = ? AND revoked IS NULL
                """,
            arguments: [
                RegistrationEntry.State.activated.rawValue, isInvited, Data(hash),
                RegistrationEntry.State.held.rawValue,
            ])
        return database.changesCount == 1
    }

    /// Records that the first share is about to be delivered. From now on the registration can log in.
    ///
    /// - Returns: false, and nothing changed, if it has expired, or if the registration or its user has been revoked.
    package func deliverSecret(_ hash: [UInt8], now: Int64, event: AuditEvent) throws(ServerError) -> Bool {
        try write { database in
            try database.execute(
                sql: """
                    UPDATE registration SET state = ?, delivered = ?
                    WHERE hash = ? AND state = ? AND revoked IS NULL AND expires > ? AND \(Self.isAdmitted)
                    """,
                arguments: [
                    RegistrationEntry.State.registered.rawValue, now, Data(hash),
                    RegistrationEntry.State.activated.rawValue, now,
                ])
            let changed = database.changesCount == 1
            if changed { try Self.record([event], in: database) }
            return changed
        }
    }

    /// Revokes one registration of a user.
    ///
    /// - Returns: nil if the user has no such registration; false if it was revoked before.
    package func revokeRegistration(
        _ hash: [UInt8], user: String, now: Int64, event: @Sendable (Int) -> AuditEvent
    ) throws(ServerError) -> Bool? {
        try write { database -> Bool? in
            let number = try Int.fetchOne(
                database,
                sql: """
                    UPDATE registration SET revoked = ?, revoker = ?, reason = NULL
                    WHERE hash = ? AND user = ? AND revoked IS NULL RETURNING number
                    """, arguments: [now, UserRecord.Revoker.owner, Data(hash), user])
            guard let number else {
                let isThere = try Self.exists(
                    "registration WHERE hash = ? AND user = ?", [Data(hash), user], in: database)
                return isThere ? false : nil
            }
            try Self.endInvitations(by: Data(hash), now: now, in: database)
            try Self.record([event(number)], in: database)
            return true
        }
    }

    /// Revokes a registration that has a key and was never used, not even with a wrong PIN, and replaces it with
    /// another one. The code that made the old registration then belongs to the new one, so that no code leads to two
    /// registrations.
    ///
    /// - Returns: the number of the new registration; nil, and nothing changed, if the old one cannot be replaced.
    package func replaceRegistration(_ old: [UInt8], by new: NewRegistration, event: AuditEvent) throws(ServerError)
        -> Int?
    {
        try write { database -> Int? in
            try Self.recount(old, limits: nil, now: event.time, in: database)
            let replaced = try Row.fetchOne(
                database,
                sql: """
                    UPDATE registration SET revoked = :now, revoker = :replaced, reason = NULL
                    WHERE hash = :old AND state = :registered AND revoked IS NULL AND expires > :now
                        AND deviceKey = :deviceKey AND confirmed IS NULL AND wrong = 0 AND reserved = 0
                        AND \(Self.isAdmitted)
                    RETURNING userData, invited
                    """,
                arguments: [
                    "now": new.created, "replaced": UserRecord.Revoker.replaced, "old": Data(old),
                    "registered": RegistrationEntry.State.registered.rawValue,
                    "deviceKey": new.deviceKey.map { Data($0) },
                ])
            guard let replaced else { return nil }
            let made = try Self.insert(
                new, isInvited: replaced["invited"], userData: new.userData ?? replaced["userData"], in: database)
            for table in ["invitation", "backupCode"] {
                try database.execute(
                    sql: "UPDATE \(table) SET registration = ? WHERE registration = ?",
                    arguments: [Data(new.hash), Data(old)])
            }
            try Self.record(
                [
                    event,
                    AuditEvent(.replaced, at: event.time, user: new.user, source: event.source),
                ], in: database)
            return made.number
        }
    }
}
