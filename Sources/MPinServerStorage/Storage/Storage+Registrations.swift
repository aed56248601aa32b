// SPDX-License-Identifier: Apache-2.0

extension ServerStorage {
    /// The registration of an M-Pin ID, by the ID's SHA-256.
    package func registration(_ hash: [UInt8]) throws(ServerError) -> RegistrationEntry? {
        try readOnce { connection in
            try connection.row("SELECT \(RegistrationEntry.columns) FROM registration WHERE hash = ?", [hash])
                .map { try RegistrationEntry($0) }
        }
    }

    package func countRegistrationsWithoutKey() throws(ServerError) -> Int {
        try read { connection in
            try connection.value(
                "SELECT count(*) FROM registration WHERE device_key IS NULL AND revoked IS NULL AND state = ?",
                [RegistrationEntry.State.registered.rawValue]) ?? 0
        }
    }

    /// Whether at least so many registrations are unfinished and have not expired.
    package func hasUnfinishedRegistrations(_ count: Int, now: Int64) throws(ServerError) -> Bool {
        try readOnce { connection in
            try connection.exists(
                "registration WHERE state IN (0, 1) AND expires > ? LIMIT 1 OFFSET ?", [now, count - 1])
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
        try write { connection -> AddedRegistration? in
            var isInvited = false
            if let code {
                let admission = try Self.redeem(
                    code, user: new.user, for: new.hash, key: new.deviceKey, at: event.time, source: event.source,
                    in: connection)
                guard let admission else { return nil }
                isInvited = admission == .administrator
            }
            // Expired registrations are deleted to make room.
            try Self.purgeRegistrations(now: new.created, in: connection)
            let made = try Self.insert(new, isInvited: isInvited, userData: new.userData, in: connection)
            try Self.record([event], in: connection)
            var left: Int?
            if case .backup = code { left = try Self.countBackupCodes(of: new.user, in: connection) }
            return AddedRegistration(state: made.state, number: made.number, backupCodes: left)
        }
    }

    /// Adds a registration, inside a transaction. It is held if its user is suspended and no administrator has invited it.
    static func insert(
        _ new: NewRegistration, isInvited: Bool, userData: String?, in connection: any Connection
    ) throws -> (number: Int, state: RegistrationEntry.State) {
        let number = try nextNumber(of: new.user, in: connection)
        let state: Int? = try connection.value(
            """
            INSERT INTO registration (
                hash, number, user_id, mailbox, device, mobile, state, ott, created, expires, user_data, invited,
                device_key
            ) SELECT :hash, :number, user_id, mailbox, :device, :mobile, CASE WHEN \(isAdmitted) THEN :state ELSE :held END,
                :ott, :created, :expires, :userData, invited, :deviceKey
            FROM (SELECT :user AS user_id, :mailbox AS mailbox, :invited AS invited) AS registration
            RETURNING state
            """,
            [
                "hash": new.hash, "number": number, "user": new.user, "mailbox": mailbox(of: new.user),
                "device": new.device, "mobile": new.mobile,
                "state": new.state.rawValue, "held": RegistrationEntry.State.held.rawValue, "ott": new.ott,
                "created": new.created, "expires": new.expires, "userData": userData, "invited": isInvited ? 1 : 0,
                "deviceKey": new.deviceKey,
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
        source: String?, in connection: any Connection
    ) throws -> Admission? {
        switch code {
        case .invitation(let code):
            let maker = try maker(ofInvitation: code, in: connection)
            // A code that users make for themselves gives no more rights than they have.
            if let maker, try !mayMakeCodes(maker, of: user, in: connection) { return nil }
            let isGood = try redeemInvitation(
                code, user: user, for: hash, key: key, at: now, source: source, in: connection)
            return isGood ? maker == nil ? .administrator : .owner : nil
        case .backup(let code):
            return try redeemBackupCode(code, user: user, for: hash, at: now, in: connection) ? .owner : nil
        }
    }

    private static func nextNumber(of user: String, in connection: any Connection) throws -> Int {
        try connection.value(
            """
            INSERT INTO numbering (user_id, last) VALUES (?, 1)
            ON CONFLICT (user_id) DO UPDATE SET last = numbering.last + 1 RETURNING last
            """, [user]) ?? 1
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
        try write { connection in
            try connection.undoingNil {
                let row = try connection.row(
                    """
                    UPDATE registration
                    SET state = CASE WHEN :activates AND \(Self.isAdmitted) THEN :activated ELSE state END,
                        device = :device, expires = :expires, user_data = coalesce(:userData, user_data)
                    WHERE hash = :hash AND state IN (:held, :activated) AND revoked IS NULL AND expires > :now
                    RETURNING user_id, state
                    """,
                    [
                        "activates": activates, "device": device, "expires": expires, "userData": userData,
                        "now": now, "hash": hash, "held": RegistrationEntry.State.held.rawValue,
                        "activated": RegistrationEntry.State.activated.rawValue,
                    ])
                guard let row else { return nil }
                var isActive = try row["state"] == RegistrationEntry.State.activated.rawValue
                if !isActive, let code {
                    let admission = try Self.redeem(
                        code, user: row["user_id"], for: hash, at: event.time, source: event.source, in: connection)
                    guard let admission, try Self.admit(hash, isInvited: admission == .administrator, in: connection)
                    else { return nil }
                    isActive = true
                }
                try Self.record([event], in: connection)
                return isActive
            }
        }
    }

    /// Activates a registration for which a code was consumed.
    ///
    /// - Returns: false, and nothing changed, if it does not wait for a code.
    private static func admit(_ hash: [UInt8], isInvited: Bool, in connection: any Connection) throws -> Bool {
        try connection.execute(
            """
            UPDATE registration SET state = :activated, invited = CASE WHEN :invited THEN 1 ELSE invited END
            WHERE hash = :hash AND state = :held AND revoked IS NULL
            """,
            [
                "activated": RegistrationEntry.State.activated.rawValue, "invited": isInvited, "hash": hash,
                "held": RegistrationEntry.State.held.rawValue,
            ])
        return connection.changesCount == 1
    }

    /// Records that the first share is about to be delivered. From now on the registration can log in.
    ///
    /// - Returns: false, and nothing changed, if it has expired, or if the registration or its user has been revoked.
    package func deliverSecret(_ hash: [UInt8], now: Int64, event: AuditEvent) throws(ServerError) -> Bool {
        try write { connection in
            try connection.execute(
                """
                UPDATE registration SET state = ?, delivered = ?
                WHERE hash = ? AND state = ? AND revoked IS NULL AND expires > ? AND \(Self.isAdmitted)
                """,
                [
                    RegistrationEntry.State.registered.rawValue, now, hash,
                    RegistrationEntry.State.activated.rawValue, now,
                ])
            let changed = connection.changesCount == 1
            if changed { try Self.record([event], in: connection) }
            return changed
        }
    }

    /// Revokes one registration of a user.
    ///
    /// - Returns: nil if the user has no such registration; false if it was revoked before.
    package func revokeRegistration(
        _ hash: [UInt8], user: String, now: Int64, event: @Sendable (Int) -> AuditEvent
    ) throws(ServerError) -> Bool? {
        try write { connection -> Bool? in
            let number: Int? = try connection.value(
                """
                UPDATE registration SET revoked = ?, revoker = ?, reason = NULL
                WHERE hash = ? AND user_id = ? AND revoked IS NULL RETURNING number
                """, [now, UserRecord.Revoker.owner, hash, user])
            guard let number else {
                let isThere = try connection.exists("registration WHERE hash = ? AND user_id = ?", [hash, user])
                return isThere ? false : nil
            }
            try Self.endInvitations(by: hash, now: now, in: connection)
            try Self.record([event(number)], in: connection)
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
        try write { connection -> Int? in
            try Self.recount(old, limits: nil, now: event.time, in: connection)
            let replaced = try connection.row(
                """
                UPDATE registration SET revoked = :now, revoker = :replaced, reason = NULL
                WHERE hash = :old AND state = :registered AND revoked IS NULL AND expires > :now
                    AND device_key = :deviceKey AND confirmed IS NULL AND wrong = 0 AND reserved = 0
                    AND \(Self.isAdmitted)
                RETURNING user_data, invited
                """,
                [
                    "now": new.created, "replaced": UserRecord.Revoker.replaced, "old": old,
                    "registered": RegistrationEntry.State.registered.rawValue,
                    "deviceKey": new.deviceKey,
                ])
            guard let replaced else { return nil }
            let made = try Self.insert(
                new, isInvited: replaced["invited"] == 1, userData: new.userData ?? replaced["user_data"],
                in: connection)
            for table in ["invitation", "backup_code"] {
                try connection.execute(
                    "UPDATE \(table) SET registration = ? WHERE registration = ?",
                    [new.hash, old])
            }
            try Self.record(
                [
                    event,
                    AuditEvent(.replaced, at: event.time, user: new.user, source: event.source),
                ], in: connection)
            return made.number
        }
    }
}
